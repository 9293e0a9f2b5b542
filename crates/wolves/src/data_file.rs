//! The blocks of the data that `solve wolves` makes. A file begins with the length in bytes (4,
//! little-endian) of each block; the blocks follow, compressed (raw deflate).

/// The packed bytes of the first `count` blocks.
pub(crate) fn blocks(data: &'static [u8], count: usize) -> impl Iterator<Item = &'static [u8]> {
    let (lengths, mut rest) = data.split_at(4 * count);
    lengths.chunks_exact(4).map(move |length| {
        let length = u32::from_le_bytes(length.try_into().expect("4 bytes"));
        let (block, more) = rest.split_at(length as usize);
        rest = more;
        block
    })
}

/// The bytes of a block, at most `most`.
pub(crate) fn unpacked(block: &[u8], most: usize) -> Vec<u8> {
    let unpacked = miniz_oxide::inflate::decompress_to_vec_with_limit(block, most);
    unpacked.expect("the data are those that the tests have seen")
}
