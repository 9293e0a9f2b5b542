//! What of the machine's file system a box has.

/// Directories that programs need to run.
pub(super) const SYSTEM: &[&str] =
    &["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"];

/// Files and directories of /etc that programs need to run. Accounts are the box's own.
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
    "mono",
    "nsswitch.conf",
    "protocols",
    "services",
    "ssl/openssl.cnf",
    "ssl/certs",
    "timezone",
];

/// Devices that give nothing away.
pub(super) const DEVICES: &[&str] = &["null", "zero", "full", "random", "urandom"];

/// Where programs leave temporary files.
pub(super) const PRIVATE: &[&str] = &["/tmp", "/var/tmp", "/dev/shm"];
