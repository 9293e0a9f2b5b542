//! The checksum of stored data.

/// Returns the FNV-1a checksum of bytes, 64 bits (Fowler, Noll, Vo). A change of any single byte
/// changes it.
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
