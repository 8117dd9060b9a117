//! Where and when something was measured.

use std::fs::read_to_string;
use std::time::{SystemTime, UNIX_EPOCH};

/// The processor, and how many cores there are.
pub fn machine() -> String {
    let text = read_to_string("/proc/cpuinfo").unwrap_or_default();
    let of = |name: &str| {
        let lines = text.lines().filter_map(|line| line.split_once(':'));
        lines
            .map(|(key, value)| (key.trim(), value.trim()))
            .find(|(key, _)| *key == name)
            .map(|(_, value)| value)
    };
    let name = of("model name").unwrap_or("an unknown processor");
    let kind = match (of("cpu family"), of("model")) {
        (Some(family), Some(model)) => format!("family {family} model {model}, "),
        _ => String::new(),
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{name} ({kind}{cores} cores, {}, {})", std::env::consts::ARCH, std::env::consts::OS)
}

/// Today, as year, month and day.
pub fn date() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let mut days = seconds / 86_400;
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let mut month = 1;
    for length in [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", days + 1)
}
