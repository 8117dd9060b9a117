//! Programs that tell the size of every struct and the place of every field, in C, in Rust and in C#. All of them
//! tell the same: `pccd_view 40` for a struct, `pccd_view.count 8 8` for the offset and size of a field (C# leaves out
//! the latter).

use super::{Header, csharp};
use std::fmt::Write;

pub fn in_c(header: &Header) -> String {
    let mut out = "#include <pccd.h>\n#include <stdio.h>\nint main(void) {\n".to_owned();
    for it in &header.structs {
        let name = &it.name;
        writeln!(out, "    printf(\"{name} %zu\\n\", sizeof({name}));").unwrap();
        for field in &it.fields {
            let field = &field.name;
            writeln!(
                out,
                "    printf(\"{name}.{field} %zu %zu\\n\", offsetof({name}, {field}), sizeof((({name} *)0)->{field}));"
            )
            .unwrap();
        }
    }
    out += "    return 0;\n}\n";
    out
}

/// An expression: an array of the lines.
pub fn in_rust(header: &Header) -> String {
    let mut out = "\
// Generated from include/pccd.h. To change it: make header
//
// The size of every struct, and the offset and size of every field, as Rust has them.
&[
"
    .to_owned();
    for it in &header.structs {
        let name = &it.name;
        writeln!(out, "    (\"{name}\", size_of::<{name}>(), &[").unwrap();
        for field in &it.fields {
            let field = &field.name;
            writeln!(
                out,
                "        (\"{field}\", offset_of!({name}, {field}), size_of_field(|it: &{name}| &it.{field})),"
            )
            .unwrap();
        }
        writeln!(out, "    ]),").unwrap();
    }
    out += "]\n";
    out
}

/// A class with a function that writes the lines.
pub fn in_csharp(header: &Header) -> String {
    let mut out = "using System;\nusing Pccd;\npublic static unsafe class Layout\n{\n".to_owned();
    out += "    public static void Write()\n    {\n";
    for (number, it) in header.structs.iter().enumerate() {
        let name = &it.name;
        writeln!(out, "        Console.WriteLine(\"{name} \" + sizeof({name}));").unwrap();
        writeln!(out, "        {name} it{number} = new {name}();").unwrap();
        for field in &it.fields {
            let elements = csharp::elements(header, field);
            let first = &elements[0].1;
            // The name of an array of numbers is its address already.
            let address = match elements[0].0.length {
                Some(_) => format!("it{number}.{first}"),
                None => format!("&it{number}.{first}"),
            };
            writeln!(
                out,
                "        Console.WriteLine(\"{name}.{} \" + ((byte*){address} - (byte*)&it{number}));",
                field.name
            )
            .unwrap();
        }
    }
    out += "    }\n}\n";
    out
}
