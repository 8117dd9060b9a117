//! `include/pccd.h` as data: constants, structs, callbacks and functions. Declarations for other languages and the tests
//! of the binary interface are made from it, so that there is nothing to keep in step by hand.
//!
//! It reads what cbindgen writes, not C as such. What it does not know is a panic that shows the text.

// Every test binary compiles all of this and uses a part.
#![allow(dead_code)]

pub mod csharp;
pub mod layout;

/// A type as it is used: `const double *` is `double` with one pointer.
#[derive(Clone, Debug, PartialEq)]
pub struct CType {
    pub base: String,
    pub pointers: usize,
    /// Elements, of an array.
    pub length: Option<usize>,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub ctype: CType,
    /// Begins with `const`.
    pub constant: bool,
    pub comment: Vec<String>,
}

/// A `#define` of a number.
#[derive(Debug)]
pub struct Constant {
    pub name: String,
    pub value: i128,
    pub comment: Vec<String>,
}

#[derive(Debug)]
pub struct Struct {
    pub name: String,
    pub fields: Vec<Variable>,
    pub comment: Vec<String>,
}

/// A function, or the type of a callback.
#[derive(Debug)]
pub struct Function {
    pub name: String,
    pub returns: CType,
    pub returns_constant: bool,
    pub parameters: Vec<Variable>,
    pub comment: Vec<String>,
}

#[derive(Debug, Default)]
pub struct Header {
    pub constants: Vec<Constant>,
    pub structs: Vec<Struct>,
    /// Structs that only pointers are known of.
    pub opaque: Vec<String>,
    /// Other names of numbers: (`pccd_status`, `int32_t`).
    pub aliases: Vec<(String, String)>,
    pub callbacks: Vec<Function>,
    pub functions: Vec<Function>,
}

/// A piece of the header: what the comment before it says, and the text up to its semicolon.
struct Item {
    comment: Vec<String>,
    text: String,
}

impl Header {
    pub fn parse(text: &str) -> Header {
        let mut header = Header::default();
        for item in items(text) {
            header.add(item);
        }
        header
    }

    fn add(&mut self, Item { comment, text }: Item) {
        if let Some(definition) = text.strip_prefix("#define ") {
            // The include guard has no value.
            if let Some((name, value)) = definition.split_once(' ') {
                let digits = value.trim().trim_end_matches(['u', 'U', 'l', 'L']);
                let value = match digits {
                    "UINT32_MAX" => i128::from(u32::MAX),
                    digits => digits.parse().unwrap_or_else(|_| panic!("{name} is not a number: {value}")),
                };
                self.constants.push(Constant { name: name.to_owned(), value, comment });
            }
        } else if let Some(rest) = text.strip_prefix("typedef struct ") {
            match (rest.find('{'), rest.rfind('}')) {
                (Some(begin), Some(end)) => {
                    let fields = items(&rest[begin + 1..end]).into_iter().map(|item| {
                        let mut field = variable(&item.text);
                        field.comment = item.comment;
                        field
                    });
                    let name = rest[end + 1..].trim().to_owned();
                    self.structs.push(Struct { name, fields: fields.collect(), comment });
                }
                _ => self.opaque.push(rest.split(' ').next_back().unwrap().to_owned()),
            }
        } else if let Some(rest) = text.strip_prefix("typedef ") {
            match rest.split_once("(*") {
                Some((returns, rest)) => {
                    let (name, parameters) = rest.split_once(")(").expect("a callback has parameters");
                    self.callbacks.push(function(returns, name, parameters, comment));
                }
                None => {
                    let (old, new) = rest.rsplit_once(' ').expect("a typedef has two names");
                    self.aliases.push((new.to_owned(), old.trim().to_owned()));
                }
            }
        } else {
            let (before, parameters) = text.split_once('(').unwrap_or_else(|| panic!("what is this? {text}"));
            let start = before.rfind([' ', '*']).expect("a function has a type") + 1;
            self.functions.push(function(&before[..start], &before[start..], parameters, comment));
        }
    }

    pub fn find_struct(&self, name: &str) -> Option<&Struct> {
        self.structs.iter().find(|it| it.name == name)
    }

    pub fn is_callback(&self, name: &str) -> bool {
        self.callbacks.iter().any(|it| it.name == name)
    }

    pub fn is_opaque(&self, name: &str) -> bool {
        self.opaque.iter().any(|it| it == name)
    }
}

/// Splits at the semicolons that are not in comments or braces. Directives end with their line.
fn items(mut text: &str) -> Vec<Item> {
    let mut found = Vec::new();
    let mut comment = Vec::new();
    loop {
        text = text.trim_start();
        if text.is_empty() {
            return found;
        } else if text.starts_with("/*") {
            let (inside, rest) = text.split_once("*/").expect("a comment ends");
            comment = lines_of_comment(inside);
            text = rest;
        } else if text.starts_with(['#', '}']) || text.starts_with("//") || text.starts_with("extern \"C\"") {
            let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
            if line.starts_with("#define") {
                let item = Item { comment: std::mem::take(&mut comment), text: line.trim().to_owned() };
                found.push(item);
            }
            text = rest;
        } else {
            let end = end_of_item(text);
            let item = Item { comment: std::mem::take(&mut comment), text: text[..end].trim().to_owned() };
            found.push(item);
            text = &text[end + 1..];
        }
    }
}

/// Where the semicolon is that ends what begins here.
fn end_of_item(text: &str) -> usize {
    let mut depth = 0;
    let mut index = 0;
    while index < text.len() {
        if text[index..].starts_with("/*") {
            index += text[index..].find("*/").expect("a comment ends") + 2;
            continue;
        }
        match text.as_bytes()[index] {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b';' if depth == 0 => return index,
            _ => {}
        }
        index += 1;
    }
    panic!("this does not end: {text}");
}

fn lines_of_comment(inside: &str) -> Vec<String> {
    let lines = inside.lines().map(|line| line.trim().trim_start_matches(['/', '*']).trim_end());
    let mut lines: Vec<String> =
        lines.map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned()).collect();
    while lines.first().is_some_and(|line| line.is_empty()) {
        lines.remove(0);
    }
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    lines
}

fn function(returns: &str, name: &str, parameters: &str, comment: Vec<String>) -> Function {
    let parameters = parameters.trim_end().strip_suffix(')').expect("parameters end");
    let parameters: Vec<Variable> = match parameters.trim() {
        "void" | "" => Vec::new(),
        list => list.split(',').map(variable).collect(),
    };
    // A name makes a declaration of the type.
    let returned = variable(&format!("{returns} returned"));
    Function {
        name: name.to_owned(),
        returns: returned.ctype,
        returns_constant: returned.constant,
        parameters,
        comment,
    }
}

/// `const double lower[3]`, `pccd_context **out_context` and the like.
fn variable(text: &str) -> Variable {
    let (text, length) = match text.split_once('[') {
        Some((before, rest)) => {
            let length = rest.strip_suffix(']').and_then(|digits| digits.parse().ok());
            (before, Some(length.unwrap_or_else(|| panic!("not one length: {text}"))))
        }
        None => (text, None),
    };
    let constant = text.trim_start().starts_with("const ");
    let words = text.replace('*', " * ");
    let mut words: Vec<&str> =
        words.split_whitespace().filter(|word| !["const", "struct"].contains(word)).collect();
    let name = words.pop().unwrap_or_else(|| panic!("no name: {text}")).to_owned();
    let pointers = words.iter().filter(|word| **word == "*").count();
    words.retain(|word| *word != "*");
    assert_eq!(words.len(), 1, "not a type: {text}");
    Variable {
        name,
        ctype: CType { base: words[0].to_owned(), pointers, length },
        constant,
        comment: Vec::new(),
    }
}
