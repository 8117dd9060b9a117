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

/// A library in C with all functions of the header, which do nothing: its debug information is that of the interface as C sees it.
pub fn stubs_in_c(header: &Header) -> String {
    let mut out = "\
/*
 * Generated from include/pccd.h. To change it: make header
 *
 * All functions of the header, doing nothing. What a compiler makes of this describes the binary interface, for
 * tools that compare such: make abidiff.
 */
#include <pccd.h>

"
    .to_owned();
    for it in &header.functions {
        let declared = |kind: &super::CType, name: &str| {
            let array = kind.length.map(|length| format!("[{length}]")).unwrap_or_default();
            format!("{} {}{name}{array}", kind.base, "*".repeat(kind.pointers))
        };
        let parameters: Vec<String> = it
            .parameters
            .iter()
            .map(|parameter| {
                let constant = if parameter.constant { "const " } else { "" };
                constant.to_owned() + &declared(&parameter.ctype, &parameter.name)
            })
            .collect();
        let list = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        let constant = if it.returns_constant { "const " } else { "" };
        writeln!(out, "{constant}{}({list}) {{", declared(&it.returns, &it.name)).unwrap();
        for parameter in &it.parameters {
            writeln!(out, "    (void){};", parameter.name).unwrap();
        }
        out += "    return 0;\n}\n";
    }
    out
}
