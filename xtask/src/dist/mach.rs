//! Programs for macOS, which cannot be started here: their libraries and their signature are looked
//! at.

use anyhow::{Context, Result, ensure};
use object::endian::Endianness;
use object::macho::MachHeader64;
use object::read::macho::MachHeader;
use sha2::{Digest, Sha256};

/// The folders of the libraries that every macOS has.
const LIBRARIES: [&[u8]; 2] = [b"/usr/lib/", b"/System/Library/"];
/// The magic numbers `CSMAGIC_EMBEDDED_SIGNATURE` and `CSMAGIC_CODEDIRECTORY` of Apple's
/// cs_blobs.h.
const SIGNATURE: u32 = 0xfade_0cc0;
const CODE_DIRECTORY: u32 = 0xfade_0c02;
/// `CS_ADHOC`: signed without a certificate.
const AD_HOC: u32 = 2;
/// `CS_HASHTYPE_SHA256`.
const SHA_256: u8 = 2;

/// Checks a program. Errors: it needs a library that is not the system's, or a later macOS than the
/// platforms of wheels in `tags` say; or for arm64, where the system starts no other programs, it
/// has no valid ad-hoc signature.
pub(super) fn check(program: &[u8], tags: &str) -> Result<()> {
    let header = MachHeader64::<Endianness>::parse(program, 0)?;
    let endian = header.endian()?;
    let mut commands = header.load_commands(endian, program, 0)?;
    let mut signature = None;
    while let Some(command) = commands.next()? {
        if let Some(library) = command.dylib()? {
            let name = command.string(endian, library.dylib.name)?;
            let is_of_system = LIBRARIES.iter().any(|folder| name.starts_with(folder));
            ensure!(is_of_system, "needs the library {}", String::from_utf8_lossy(name));
        }
        let oldest = match command.build_version(endian)? {
            Some((version, _)) => Some(version.minos.get(endian)),
            None if command.cmd() == object::macho::LC_VERSION_MIN_MACOSX => {
                let version: &object::macho::VersionMinCommand<Endianness> = command.data()?;
                Some(version.version.get(endian))
            }
            None => None,
        };
        if let Some(oldest) = oldest {
            let (major, minor) = (oldest.0 >> 16, (oldest.0 >> 8) & 0xff);
            let tag = format!("macosx_{major}_{minor}_");
            ensure!(
                tags.starts_with(&tag),
                "runs from macOS {major}.{minor} on, and its wheel says {tags}"
            );
        }
        if command.cmd() == object::macho::LC_CODE_SIGNATURE {
            let place: &object::macho::LinkeditDataCommand<Endianness> = command.data()?;
            signature =
                Some((place.dataoff.get(endian) as usize, place.datasize.get(endian) as usize));
        }
    }
    match signature {
        Some((start, length)) => check_signature(
            program,
            program.get(start..start + length).context("the signature is cut off")?,
        ),
        None => {
            ensure!(header.cputype(endian) != object::macho::CPU_TYPE_ARM64, "has no signature");
            Ok(())
        }
    }
}

/// Compares the digests in a signature with the program.
fn check_signature(program: &[u8], signature: &[u8]) -> Result<()> {
    let number = |blob: &[u8], at: usize| -> Result<u32> {
        let bytes = blob.get(at..at + 4).context("the signature is cut off")?;
        Ok(u32::from_be_bytes(bytes.try_into()?))
    };
    ensure!(number(signature, 0)? == SIGNATURE, "the signature has another format");
    // The first entry of the index is the code directory.
    let directory =
        signature.get(number(signature, 16)? as usize..).context("the signature is cut off")?;
    ensure!(number(directory, 0)? == CODE_DIRECTORY, "the signature has no code directory");
    ensure!(number(directory, 12)? & AD_HOC != 0, "the signature is not ad hoc");
    let (hashes, count, limit) =
        (number(directory, 16)?, number(directory, 28)?, number(directory, 32)?);
    let (hash_type, page_bits) = (directory[37], directory[39]);
    ensure!(hash_type == SHA_256, "the signature has digests of type {hash_type}");
    let code = program.get(..limit as usize).context("the signature is of a longer program")?;
    let pages: Vec<&[u8]> = code.chunks(1 << page_bits).collect();
    ensure!(
        pages.len() == count as usize,
        "the signature has {count} digests for {} pages",
        pages.len()
    );
    for (number, page) in pages.iter().enumerate() {
        let start = hashes as usize + 32 * number;
        let kept = directory.get(start..start + 32).context("the signature is cut off")?;
        ensure!(Sha256::digest(page).as_slice() == kept, "page {number} is not what was signed");
    }
    Ok(())
}
