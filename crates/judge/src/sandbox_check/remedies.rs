//! The remedies for missing sandbox layers.

/// Returns the remedy for a layer that is missing for this reason; the survey names both.
pub(super) fn remedy(layer: &str, why: &str) -> &'static str {
    match layer {
        // The kernel refuses to mount a new /proc if mounts cover parts of the old one, as in containers.
        "namespaces" if why.contains("/proc") => {
            "in a container: show /proc whole (podman: --security-opt unmask=ALL, docker: --security-opt \
             systempaths=unconfined) and count CPU time (--security-opt seccomp=unconfined); docs/security.md"
        }
        "namespaces" => {
            "Linux 5.12 or later, and user namespaces for ordinary users: sysctl user.max_user_namespaces above 0, \
             kernel.unprivileged_userns_clone=1 (Debian), kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu); in a \
             container: docs/security.md"
        }
        "landlock" => "Linux 5.13 or later with landlock among the modules of the kernel's option lsm=",
        "seccomp" => "a kernel with CONFIG_SECCOMP_FILTER",
        "counted CPU" => {
            "sysctl kernel.perf_event_paranoid=2; or a delegated control group as below; in a container --security-opt \
             seccomp=unconfined"
        }
        _ => "optional: systemd-run --user --scope -p Delegate=yes judge ... delegates one",
    }
}
