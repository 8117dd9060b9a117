//! What a benchmark is called with.

pub struct Arguments(Vec<String>);

impl Arguments {
    pub fn new() -> Arguments {
        Arguments(std::env::args().skip(1).collect())
    }

    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|argument| argument == name)
    }

    /// The number behind a name, which is not 0.
    pub fn value(&self, name: &str, default: usize) -> Result<usize, String> {
        let Some(place) = self.0.iter().position(|argument| argument == name) else { return Ok(default) };
        let value = self.0.get(place + 1).and_then(|value| value.parse().ok()).filter(|&value| value > 0);
        value.ok_or_else(|| format!("{name} needs a number"))
    }
}
