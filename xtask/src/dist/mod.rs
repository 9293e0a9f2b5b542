//! The archives for people without Rust, one for each platform.

mod mach;
mod pack;
mod pages;
mod platforms;
mod wheel;

use crate::{licences, output_of, root, version, write_whole};
use anyhow::{Context, Result, bail, ensure};
use pack::{Tree, hexadecimal};
use platforms::{HOST, PLATFORMS, Platform, System};
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Make the archives: programs that need nothing else, and what belongs to them.
///
/// Leaves menagerie-VERSION-PLATFORM.tar.gz, or .zip for Windows, the same programs as a wheel,
/// menagerie_programs, and SHA256SUMS in the directory; for x86-64 Linux also the debug files,
/// -debug.tar.gz. An archive has the agents, judge with the page of judge play, solve, on Linux
/// league, manual pages, completions, documents, inputs, schemes, starters, the licences of all
/// dependencies and a bill of materials. The same sources give the same bytes in any directory: the
/// date of all files is that of the last commit, or SOURCE_DATE_EPOCH.
///
/// Archives are made on x86-64 Linux. x86_64-linux needs a C compiler for its target (Debian's
/// musl-tools); the other platforms need zig (pip install cargo-zigbuild ziglang).
#[derive(clap::Args)]
pub(crate) struct Options {
    /// x86_64-linux, aarch64-linux, x86_64-windows, x86_64-macos, aarch64-macos, or all
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', default_value = "x86_64-linux")]
    platforms: Vec<String>,
    /// Have rustup add the targets first
    #[arg(long)]
    add: bool,
    /// For tests: optimise the agents less (Cargo's profile `quick`), and take the other programs
    /// as the tests compile them
    #[arg(long)]
    quick: bool,
    /// The directory of the archives
    #[arg(default_value = "dist")]
    directory: PathBuf,
}

/// The target of the page of `judge play`.
const PAGE_TARGET: &str = "wasm32-unknown-unknown";
/// The files and folders that an archive has unchanged.
const COPIED: [&str; 8] = [
    "CHANGELOG.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "docs",
    "inputs",
    "research/measurements",
    "schemes",
    "starters",
];

/// Makes the archives. Returns true; what goes wrong is an error.
pub(crate) fn run(options: &Options) -> Result<bool> {
    ensure!(
        cfg!(all(target_os = "linux", target_arch = "x86_64")),
        "archives are made on x86-64 Linux alone"
    );
    let mut chosen = Vec::new();
    for name in &options.platforms {
        let found: Vec<_> =
            PLATFORMS.iter().filter(|platform| name == "all" || platform.name == name).collect();
        let names: Vec<_> = PLATFORMS.iter().map(|platform| platform.name).collect();
        ensure!(!found.is_empty(), "--platforms: expected all, {}; found {name}", names.join(", "));
        chosen.extend(found);
    }
    check_tools(options, &chosen)?;
    ensure!(
        !options.quick || chosen.iter().all(|platform| platform.target == HOST.target),
        "--quick is for {} alone",
        HOST.name
    );
    let build = Build::new(options.quick)?;
    fs::create_dir_all(&options.directory)?;
    let mut sums = String::new();
    for platform in chosen {
        for (name, bytes) in build.files(platform)? {
            println!("{:>12} bytes  {name}", bytes.len());
            write_whole(&options.directory.join(&name), &bytes)?;
            sums += &format!("{}  {name}\n", hexadecimal(&Sha256::digest(&bytes)));
        }
    }
    write_whole(&options.directory.join("SHA256SUMS"), sums.as_bytes())?;
    print!("{sums}");
    Ok(true)
}

/// Checks that the targets and tools of a build are installed; with `--add`, installs the targets
/// first. Errors: one is missing.
fn check_tools(options: &Options, chosen: &[&Platform]) -> Result<()> {
    let mut targets: Vec<_> = chosen.iter().map(|platform| platform.target).collect();
    targets.extend([HOST.target, PAGE_TARGET]);
    if options.add {
        succeed(Command::new("rustup").args(["target", "add"]).args(&targets))?;
    }
    let installed =
        PathBuf::from(output_of(&["rustc", "--print", "sysroot"])?.trim()).join("lib/rustlib");
    for target in targets {
        let remedy = "run with --add, or: rustup target add";
        ensure!(
            installed.join(target).join("lib").is_dir(),
            "{target}: not installed; {remedy} {target}"
        );
    }
    let mut tools = vec![("musl-gcc", "--version", "install musl-tools")];
    if chosen.iter().any(|platform| platform.build_command() == "zigbuild") {
        tools.push(("cargo-zigbuild", "--version", "pip install cargo-zigbuild ziglang"));
    }
    for (tool, option, remedy) in tools {
        let found =
            Command::new(tool).arg(option).output().is_ok_and(|output| output.status.success());
        ensure!(found, "{tool}: missing; {remedy}");
    }
    Ok(())
}

/// The parts of a build that are the same for all platforms.
struct Build {
    version: String,
    /// Seconds since 1970: the date of all files.
    date: u64,
    agents: Vec<String>,
    /// Whether it is for tests.
    quick: bool,
    /// Cargo's profile of the agents, of the page's modules, and where it is not for tests of the
    /// other programs.
    profile: &'static str,
    /// Cargo's target directory of the tests.
    tested: PathBuf,
    /// Cargo's target directory of what is compiled for archives.
    target: PathBuf,
    /// The page of `judge play`.
    site: PathBuf,
    /// Manual pages and completions.
    share: PathBuf,
    /// Path prefixes of this machine, and what programs have in their place.
    remapped: Vec<(String, &'static str)>,
    scratch: tempfile::TempDir,
}

impl Build {
    /// Builds the page, the manual pages and the completions.
    fn new(quick: bool) -> Result<Build> {
        let profile = if quick { "quick" } else { "archive" };
        let date = match std::env::var("SOURCE_DATE_EPOCH") {
            Ok(date) => date,
            Err(_) => output_of(&["git", "log", "-1", "--format=%ct"])
                .context("SOURCE_DATE_EPOCH is not set")?,
        };
        let built = std::env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| root().join("target"), PathBuf::from);
        let tested = std::path::absolute(built)?;
        let target = tested.join("dist");
        let cargo = match std::env::var("CARGO_HOME") {
            Ok(home) => home,
            Err(_) => format!("{}/.cargo", std::env::var("HOME").context("HOME is not set")?),
        };
        let remapped = vec![
            (root().display().to_string(), "/menagerie"),
            (target.display().to_string(), "/target"),
            (cargo, "/cargo"),
        ];
        let agents: Vec<String> =
            output_of(&["scripts/games"])?.lines().map(String::from).collect();
        let (site, share) = (target.join("site"), target.join("share"));
        let scratch = tempfile::tempdir()?;
        let date = date.trim().parse().context("SOURCE_DATE_EPOCH")?;
        let build = Build {
            version: version()?,
            date,
            agents,
            quick,
            profile,
            tested,
            target,
            site,
            share,
            remapped,
            scratch,
        };
        succeed(Command::new("scripts/site").arg(&build.site).current_dir(root()))?;
        if quick {
            build.cargo_as_tests()?;
        } else {
            // In one go: by themselves the manual pages' judge would be compiled with other
            // features.
            build.cargo(HOST, &[HOST.packages(), &["manuals"]].concat())?;
        }
        if build.share.exists() {
            fs::remove_dir_all(&build.share)?;
        }
        succeed(Command::new(build.program(HOST, "manuals")).arg(&build.share))?;
        Ok(build)
    }

    /// Builds packages for a platform.
    fn cargo(&self, platform: &Platform, packages: &[&str]) -> Result<()> {
        let remap =
            self.remapped.iter().map(|(from, to)| format!(" -ffile-prefix-map={from}={to}"));
        let mut command = Command::new("cargo");
        command.args([
            platform.build_command(),
            "--locked",
            "--profile",
            self.profile,
            "--target",
            platform.target,
        ]);
        command.arg("--target-dir").arg(&self.target).current_dir(root());
        command.args(packages.iter().map(|package| format!("--package={package}")));
        command
            .env("RUSTFLAGS", platform.rust_flags(&self.remapped))
            .env("CFLAGS", remap.collect::<String>());
        command.env("JUDGE_SITE", &self.site).env("CARGO_INCREMENTAL", "0");
        // Programs for Windows have the time of their link, and mimalloc that of its compiling. A
        // fixed one: what is not built again after another commit has the bytes of a build from
        // nothing.
        command.env("SOURCE_DATE_EPOCH", "0");
        // zig's cache of compiled C does not know that time: one of its own, without what was
        // compiled with another.
        command.env("ZIG_GLOBAL_CACHE_DIR", self.target.join("zig"));
        command.envs(platform.oldest_macos().map(|version| ("MACOSX_DEPLOYMENT_TARGET", version)));
        let (debug, strip) = if platform.has_debug_files() {
            ("line-tables-only", "none")
        } else {
            ("0", "symbols")
        };
        let setting = |name| format!("CARGO_PROFILE_{}_{name}", self.profile.to_uppercase());
        command.env(setting("DEBUG"), debug).env(setting("STRIP"), strip);
        succeed(&mut command)
    }

    /// Builds the judge as `make test` does, and the solver, the league and the manual pages as
    /// `make test-all`, where `CARGO_BUILD_TARGET` is [`HOST`]'s. Only what depends on the page is
    /// compiled once more.
    fn cargo_as_tests(&self) -> Result<()> {
        // With an example the features are those of tests.
        self.cargo_debug(&["build", "--bin", "judge", "--example", "agent"])?;
        let others = output_of(&["scripts/other-packages"])?;
        self.cargo_debug(
            &[&["test", "--no-run"], &others.split_whitespace().collect::<Vec<_>>()[..]].concat(),
        )
    }

    /// Compiles for tests, with the page.
    fn cargo_debug(&self, arguments: &[&str]) -> Result<()> {
        let mut command = Command::new("cargo");
        command
            .args(arguments)
            .args(["--locked", "--target", HOST.target, "--target-dir"])
            .arg(&self.tested);
        command.current_dir(root()).env("JUDGE_SITE", &self.site).env("CARGO_INCREMENTAL", "0");
        // Variables that cargo has set for this program: ring is compiled again where they differ.
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(|name| {
                name.starts_with("CARGO_MANIFEST_") || name.starts_with("CARGO_PKG_")
            }) {
                command.env_remove(name);
            }
        }
        succeed(&mut command)
    }

    /// The path of a program that was built.
    fn program(&self, platform: &Platform, name: &str) -> PathBuf {
        let folder = if self.quick && !self.agents.iter().any(|agent| agent == name) {
            self.tested.join(platform.target).join("debug")
        } else {
            self.target.join(platform.target).join(self.profile)
        };
        folder.join(platform.file(name))
    }

    /// The archive, the wheel, and perhaps the archive of debug files of a platform: names and
    /// bytes.
    fn files(&self, platform: &Platform) -> Result<Vec<(String, Vec<u8>)>> {
        let (programs, debug) = self.trees(platform)?;
        let name = format!("menagerie-{}-{}", self.version, platform.name);
        let ending = if platform.system == System::Windows { "zip" } else { "tar.gz" };
        let mut files = vec![
            (format!("{name}.{ending}"), programs.packed(&name, ending)?),
            wheel::packed(&programs, &self.version, platform)?,
        ];
        if let Some(debug) = debug {
            files.push((
                format!("{name}-debug.tar.gz"),
                debug.packed(&format!("{name}-debug"), "tar.gz")?,
            ));
        }
        Ok(files)
    }

    /// Builds the programs for a platform, and lays out the archive of programs, and perhaps that
    /// of debug files.
    fn trees(&self, platform: &Platform) -> Result<(Tree, Option<Tree>)> {
        // The agents by themselves: together with the judge they would be built with features that
        // only it asks for.
        self.cargo(platform, &self.agents.iter().map(String::as_str).collect::<Vec<_>>())?;
        // For this machine they were built along with the manual pages.
        if platform.target != HOST.target {
            self.cargo(platform, platform.packages())?;
        }
        let mut tree = Tree::new(self.date);
        let mut debug = platform.has_debug_files().then(|| Tree::new(self.date));
        for name in self.agents.iter().map(String::as_str).chain(platform.programs()) {
            let built = self.program(platform, name);
            let bytes = match &mut debug {
                Some(debug) => self.split(&built, name, debug)?,
                None => fs::read(&built)?,
            };
            if platform.system == System::MacOs {
                mach::check(&bytes, platform.wheel_tags)
                    .with_context(|| built.display().to_string())?;
            }
            println!("{:>12} bytes  {}: {}", bytes.len(), platform.name, platform.file(name));
            tree.add(&format!("bin/{}", platform.file(name)), bytes, true);
        }
        tree.add_files(&self.share, "share")?;
        for name in COPIED {
            tree.add_files(&root().join(name), name)?;
        }
        tree.add("README.md", include_bytes!("archive-readme.md").to_vec(), false);
        if platform.system == System::Linux {
            tree.add("install", fs::read(root().join("scripts/install"))?, true);
        }
        let (texts, sbom) =
            (self.scratch.path().join("LICENCES.txt"), self.scratch.path().join("sbom.cdx.json"));
        let others = platform.packages().iter().map(ToString::to_string);
        let packages = others.chain(self.agents.iter().cloned()).collect();
        let options = licences::Options {
            target: platform.target.to_string(),
            texts,
            sbom,
            manifest_path: None,
            packages,
        };
        ensure!(licences::run(&options)?, "a licence text is missing");
        for file in [&options.texts, &options.sbom] {
            tree.add_files(file, &file.file_name().unwrap_or_default().to_string_lossy())?;
        }
        pages::add(&mut tree)?;
        tree.add_sums();
        Ok((tree, debug))
    }

    /// A program without symbols. They become a file of the archive of debug files.
    fn split(&self, built: &Path, name: &str, debug: &mut Tree) -> Result<Vec<u8>> {
        // The toolchain's own, which knows all processors; it finds its library by the variable.
        let library =
            PathBuf::from(output_of(&["rustc", "--print", "sysroot"])?.trim()).join("lib");
        let program = PathBuf::from(output_of(&["rustc", "--print", "target-libdir"])?.trim())
            .with_file_name("bin")
            .join("rust-objcopy");
        let objcopy = || {
            let mut command = Command::new(&program);
            command.env("LD_LIBRARY_PATH", &library);
            command
        };
        let symbols = self.scratch.path().join(format!("{name}.debug"));
        let stripped = self.scratch.path().join(name);
        succeed(objcopy().arg("--only-keep-debug").args([built, &symbols]))?;
        let mut link = OsString::from("--add-gnu-debuglink=");
        link.push(&symbols);
        succeed(objcopy().arg("--strip-all").arg(link).args([built, &stripped]))?;
        debug.add(&format!("bin/{name}.debug"), fs::read(&symbols)?, false);
        Ok(fs::read(&stripped)?)
    }
}

/// Runs a command. Errors: it cannot be run, or it fails.
fn succeed(command: &mut Command) -> Result<()> {
    let shown = format!("{} ...", command.get_program().display());
    let status = command.status().with_context(|| shown.clone())?;
    if !status.success() {
        let words: Vec<_> = command.get_args().map(|word| word.to_string_lossy()).collect();
        bail!("{} {}: {status}", command.get_program().display(), words.join(" "));
    }
    Ok(())
}
