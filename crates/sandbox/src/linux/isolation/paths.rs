//! What programs need of the machine's file system.

pub(super) const SYSTEM: &[&str] =
    &["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"];

/// Of /etc. The account files are made for the box, see `mounts`.
pub(super) const ETC: &[&str] = &[
    "alternatives",
    "fonts",
    "java",
    "java-8-openjdk",
    "java-11-openjdk",
    "java-17-openjdk",
    "java-21-openjdk",
    "java-25-openjdk",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "locale.alias",
    "locale.conf",
    "localtime",
    "maven",
    "mono",
    "nsswitch.conf",
    "protocols",
    "services",
    "ssl/openssl.cnf",
    "ssl/certs",
    "timezone",
];

/// Devices that reveal nothing about the machine.
pub(super) const DEVICES: &[&str] = &["null", ZERO, "full", "random", "urandom"];

/// A device whose shared mappings are memory, which only a control group limits.
pub(super) const ZERO: &str = "zero";

pub(super) const PRIVATE: &[&str] = &["/tmp", "/var/tmp", "/dev/shm"];
