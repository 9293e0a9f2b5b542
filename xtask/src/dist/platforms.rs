//! The platforms that have an archive.

/// A platform: how programs are built for it, and how they are packed.
pub(super) struct Platform {
    /// The end of the archive's name.
    pub(super) name: &'static str,
    /// Rust's target triple.
    pub(super) target: &'static str,
    /// Further flags of rustc.
    flags: &'static str,
    /// The platforms of its wheel in Python's words, sorted. Programs for Linux need no C library,
    /// so that any will do. The oldest macOS is that of Rust's target.
    pub(super) wheel_tags: &'static str,
    pub(super) system: System,
}

/// An operating system.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum System {
    Linux,
    Windows,
    MacOs,
}

/// The platform of the machine that makes archives. Its C compiler is musl-gcc; those of the others
/// are zig's.
pub(super) const HOST: &Platform = &PLATFORMS[0];

const STATIC: &str = "-C target-feature=+crt-static -C relocation-model=static";

/// The linker leaves out the paths of object files before it computes the identifier of the program
/// (`LC_UUID`).
const NO_PATHS: &str = "-C link-arg=-Wl,-S";

/// All platforms.
pub(super) const PLATFORMS: [Platform; 5] = [
    Platform {
        name: "x86_64-linux",
        target: "x86_64-unknown-linux-musl",
        flags: STATIC,
        wheel_tags: "manylinux2014_x86_64.manylinux_2_17_x86_64.musllinux_1_1_x86_64",
        system: System::Linux,
    },
    Platform {
        name: "aarch64-linux",
        target: "aarch64-unknown-linux-musl",
        flags: STATIC,
        wheel_tags: "manylinux2014_aarch64.manylinux_2_17_aarch64.musllinux_1_1_aarch64",
        system: System::Linux,
    },
    Platform {
        name: "x86_64-windows",
        target: "x86_64-pc-windows-gnu",
        flags: "-C target-feature=+crt-static",
        wheel_tags: "win_amd64",
        system: System::Windows,
    },
    Platform {
        name: "x86_64-macos",
        target: "x86_64-apple-darwin",
        flags: NO_PATHS,
        wheel_tags: "macosx_10_12_x86_64",
        system: System::MacOs,
    },
    Platform {
        name: "aarch64-macos",
        target: "aarch64-apple-darwin",
        flags: NO_PATHS,
        wheel_tags: "macosx_11_0_arm64",
        system: System::MacOs,
    },
];

impl Platform {
    /// The packages with programs besides the agents. A league needs the sandbox, which only Linux
    /// has.
    pub(super) fn packages(&self) -> &'static [&'static str] {
        if self.system == System::Linux {
            &["judge", "solver", "league"]
        } else {
            &["judge", "solver"]
        }
    }

    /// The programs of these packages.
    pub(super) fn programs(&self) -> Vec<&'static str> {
        self.packages()
            .iter()
            .map(|&package| if package == "solver" { "solve" } else { package })
            .collect()
    }

    /// The file name of a program.
    pub(super) fn file(&self, program: &str) -> String {
        if self.system == System::Windows { format!("{program}.exe") } else { program.to_string() }
    }

    /// Whether the lines of backtraces are in files of their own. Those of zig's C library would
    /// have paths of this machine.
    pub(super) fn has_debug_files(&self) -> bool {
        self.target == HOST.target
    }

    /// The subcommand of cargo that builds for this platform.
    pub(super) fn build_command(&self) -> &'static str {
        if self.target == HOST.target { "build" } else { "zigbuild" }
    }

    /// The oldest macOS that its programs run on, as `10.12`. Without it zig takes a much later
    /// one.
    pub(super) fn oldest_macos(&self) -> Option<String> {
        let mut numbers = self.wheel_tags.strip_prefix("macosx_")?.split('_');
        Some(format!("{}.{}", numbers.next()?, numbers.next()?))
    }

    /// The flags of rustc, with those that keep the machine's paths out of programs.
    pub(super) fn rust_flags(&self, remapped: &[(String, &str)]) -> String {
        let remap = remapped.iter().map(|(from, to)| format!(" --remap-path-prefix={from}={to}"));
        std::iter::once(self.flags.to_string()).chain(remap).collect::<String>().trim().to_string()
    }
}
