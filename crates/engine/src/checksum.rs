//! The checksum of stored bytes.

/// The checksum of bytes: FNV-1a, 64 bits (Fowler, Noll, Vo). Any single byte changed changes it.
#[must_use]
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
