//! The header in C#: the file `bindings/unity/Runtime/Native.cs`.
//!
//! Everything is blittable, so calls cost no more than they have to: structs are laid out as in C, function pointers are
//! `IntPtr`, texts are `byte*`, and nothing is marshalled.

use super::{CType, Constant, Function, Header, Struct, Variable};
use std::fmt::Write;

/// Words that C allows as names and C# does not.
const KEYWORDS: [&str; 20] = [
    "as", "base", "bool", "byte", "checked", "event", "fixed", "in", "internal", "is", "lock", "new",
    "object", "operator", "out", "override", "params", "ref", "string", "this",
];

const BEGIN: &str = "\
// libpccd for C#: the C interface as it is. Pccd.Context and the classes beside it are easier to use.
//
// Generated from include/pccd.h. To change it: make header
//
// SPDX-License-Identifier: MIT OR Apache-2.0

using System;
using System.Runtime.InteropServices;

// Names are those of C, and fields of structs are not assigned here.
#pragma warning disable 0649, 1591, IDE1006

namespace Pccd
{
";

pub fn declarations(header: &Header) -> String {
    let mut out = BEGIN.to_owned();
    for callback in &header.callbacks {
        comment(&mut out, 1, &callback.comment);
        let (returns, parameters) = (type_of(header, &callback.returns), parameters(header, callback));
        let name = &callback.name;
        writeln!(out, "    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]").unwrap();
        writeln!(out, "    public unsafe delegate {returns} {name}({parameters});\n").unwrap();
    }
    for it in &header.structs {
        structure(&mut out, header, it);
    }
    out += "    /// <summary>Constants and functions.</summary>\n";
    out += "    public static unsafe class Native\n    {\n";
    out += "#if UNITY_IOS && !UNITY_EDITOR\n        public const string Library = \"__Internal\";\n";
    out += "#else\n        public const string Library = \"pccd\";\n#endif\n\n";
    for it in &header.constants {
        constant(&mut out, it);
    }
    for it in &header.functions {
        comment(&mut out, 2, &it.comment);
        let (returns, parameters) = (type_of(header, &it.returns), parameters(header, it));
        let name = &it.name;
        writeln!(
            out,
            "        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]"
        )
        .unwrap();
        writeln!(out, "        public static extern {returns} {name}({parameters});\n").unwrap();
    }
    // No empty line before the end.
    out.pop();
    out += "    }\n}\n";
    out
}

fn structure(out: &mut String, header: &Header, it: &Struct) {
    comment(out, 1, &it.comment);
    writeln!(out, "    [StructLayout(LayoutKind.Sequential)]").unwrap();
    writeln!(out, "    public unsafe struct {}\n    {{", it.name).unwrap();
    for field in &it.fields {
        comment(out, 2, &field.comment);
        for (element, name) in elements(header, field) {
            let kind = type_of(header, &element);
            match element.length {
                Some(length) => writeln!(out, "        public fixed {kind} {name}[{length}];").unwrap(),
                None => writeln!(out, "        public {kind} {name};").unwrap(),
            }
        }
    }
    out.push_str("    }\n\n");
}

/// A field as those that it takes in C#, where only arrays of numbers can be in a struct: others are one field an element.
pub fn elements(header: &Header, field: &Variable) -> Vec<(CType, String)> {
    let Some(length) = field.ctype.length else {
        return vec![(field.ctype.clone(), word(&field.name))];
    };
    if field.ctype.pointers == 0 && number(header, &field.ctype.base).is_some() {
        return vec![(field.ctype.clone(), word(&field.name))];
    }
    let element = CType { length: None, ..field.ctype.clone() };
    (0..length).map(|index| (element.clone(), format!("{}_{index}", field.name))).collect()
}

fn constant(out: &mut String, it: &Constant) {
    // The compiler converts constants to every type that has room for them.
    let kind = match it.value {
        value if i32::try_from(value).is_ok() => "int",
        value if u32::try_from(value).is_ok() => "uint",
        value if i64::try_from(value).is_ok() => "long",
        _ => "ulong",
    };
    comment(out, 2, &it.comment);
    writeln!(out, "        public const {kind} {} = {};\n", it.name, it.value).unwrap();
}

fn parameters(header: &Header, function: &Function) -> String {
    let list = function.parameters.iter().map(|parameter| {
        let mut kind = parameter.ctype.clone();
        // An array that is passed is a pointer.
        kind.pointers += usize::from(kind.length.take().is_some());
        format!("{} {}", type_of(header, &kind), word(&parameter.name))
    });
    list.collect::<Vec<_>>().join(", ")
}

fn number(header: &Header, base: &str) -> Option<&'static str> {
    Some(match base {
        "char" | "uint8_t" => "byte",
        "int8_t" => "sbyte",
        "int16_t" => "short",
        "uint16_t" => "ushort",
        "int32_t" => "int",
        "uint32_t" => "uint",
        "int64_t" => "long",
        "uint64_t" => "ulong",
        "float" => "float",
        "double" => "double",
        _ => {
            let (_, old) = header.aliases.iter().find(|(new, _)| new == base)?;
            return number(header, old);
        }
    })
}

fn type_of(header: &Header, kind: &CType) -> String {
    let base = kind.base.as_str();
    if header.is_opaque(base) {
        assert!(kind.pointers > 0, "{base} by value");
        return format!("IntPtr{}", "*".repeat(kind.pointers - 1));
    }
    let name = match base {
        "void" => "void",
        "size_t" => "UIntPtr",
        _ if header.is_callback(base) => "IntPtr",
        _ if header.find_struct(base).is_some() => base,
        _ => number(header, base).unwrap_or_else(|| panic!("{base} is unknown in C#")),
    };
    format!("{name}{}", "*".repeat(kind.pointers))
}

fn word(name: &str) -> String {
    if KEYWORDS.contains(&name) { format!("@{name}") } else { name.to_owned() }
}

fn comment(out: &mut String, level: usize, lines: &[String]) {
    let indent = "    ".repeat(level);
    if lines.is_empty() {
        return;
    }
    writeln!(out, "{indent}/// <summary>").unwrap();
    for line in lines {
        let line = line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        writeln!(out, "{}", format!("{indent}/// {line}").trim_end()).unwrap();
    }
    writeln!(out, "{indent}/// </summary>").unwrap();
}
