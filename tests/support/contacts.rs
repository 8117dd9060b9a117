//! Lists of contacts: their order, equality by bits, and what differs between two of them.

use pccd::detect::Contact;
use pccd::elementary::Kind;
use std::collections::BTreeMap;

/// Which pair a contact is about: meshes, kind, vertices, triangles. Contacts are sorted by it.
pub type Key = (u64, u64, u8, [u32; 4], [u32; 2]);

pub fn key(contact: &Contact) -> Key {
    let kind = match contact.kind {
        Kind::VertexFace => 0,
        Kind::EdgeEdge => 1,
    };
    (contact.mesh_a, contact.mesh_b, kind, contact.vertices, contact.triangles)
}

/// Everything about a contact, so that nothing compares equal but equal bits.
pub fn bits(contact: &Contact) -> (Key, bool, [u64; 9]) {
    let [w0, w1, w2, w3] = contact.weights;
    let [x, y, z] = contact.normal;
    let numbers = [contact.toi_lower, contact.toi_upper, w0, w1, w2, w3, x, y, z];
    (key(contact), contact.at_start(), numbers.map(f64::to_bits))
}

pub fn sort(contacts: &mut [Contact]) {
    contacts.sort_by_key(key);
}

/// Says what is wrong with a list that should be sorted and name each pair once.
pub fn check_order(contacts: &[Contact]) -> Result<(), String> {
    for (index, pair) in contacts.windows(2).enumerate() {
        let (first, second) = (key(&pair[0]), key(&pair[1]));
        if first == second {
            return Err(format!("{first:?} twice, at {index}"));
        }
        if first > second {
            return Err(format!("{first:?} before {second:?}, at {index}"));
        }
    }
    Ok(())
}

/// Says how two lists differ: missing and additional pairs first, then order, then bits.
pub fn compare(found: &[Contact], expected: &[Contact]) -> Result<(), String> {
    if found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| bits(a) == bits(b)) {
        return Ok(());
    }
    let mut counts: BTreeMap<Key, i64> = BTreeMap::new();
    expected.iter().for_each(|contact| *counts.entry(key(contact)).or_default() += 1);
    found.iter().for_each(|contact| *counts.entry(key(contact)).or_default() -= 1);
    let missed: Vec<&Key> = counts.iter().filter(|(_, count)| **count > 0).map(|(key, _)| key).collect();
    let added: Vec<&Key> = counts.iter().filter(|(_, count)| **count < 0).map(|(key, _)| key).collect();
    if !missed.is_empty() || !added.is_empty() {
        return Err(format!(
            "{} contacts instead of {}: {} missed, {} added; missed first {:?}, added first {:?}",
            found.len(),
            expected.len(),
            missed.len(),
            added.len(),
            &missed[..missed.len().min(3)],
            &added[..added.len().min(3)]
        ));
    }
    let index = (0..found.len()).find(|&i| bits(&found[i]) != bits(&expected[i])).unwrap_or(0);
    let (found, expected) = (&found[index], &expected[index]);
    let problem = if key(found) == key(expected) { "other bits" } else { "another order" };
    Err(format!("{problem} at {index}: {found:?} instead of {expected:?}"))
}
