//! Java sizes its heap by a quarter of the machine's memory, and ends when it grows beyond the
//! limit of its process. So it is told how large its heap may be.

use std::path::Path;

const OWN_CHOICE: [&str; 6] =
    ["-Xmx", "-XX:MaxHeapSize", "-XX:MaxRAM", "-XX:SoftMaxHeapSize", "-J-Xmx", "-J-XX:MaxHeapSize"];
const BESIDE_HEAP_MIB: u64 = 128;

/// Adds the size of the heap to a command that starts Java or its compiler, unless it chooses one
/// or the machine's `machine_mib` give a smaller one.
pub(super) fn with_heap(
    command: &[String],
    memory_mib: u64,
    machine_mib: impl FnOnce() -> Option<u64>,
) -> Vec<String> {
    let mut command = command.to_vec();
    let name = command.first().and_then(|program| Path::new(program).file_name()?.to_str());
    let prefix = match name {
        Some("java") => "",
        Some("javac") => "-J",
        _ => return command,
    };
    let heap = (memory_mib / 4 * 3).min(memory_mib.saturating_sub(BESIDE_HEAP_MIB));
    let chooses =
        command.iter().any(|word| OWN_CHOICE.iter().any(|option| word.starts_with(option)));
    if heap > 0 && !chooses && machine_mib().is_some_and(|machine| machine / 4 > heap) {
        command.insert(1, format!("{prefix}-XX:MaxHeapSize={heap}m"));
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_virtual_machine_gets_a_heap_that_fits_its_box() {
        let made = |line: &str, memory, machine| {
            let command: Vec<String> = line.split(' ').map(String::from).collect();
            with_heap(&command, memory, || machine).join(" ")
        };
        assert_eq!(
            made("java -cp . Agent", 4096, Some(24_000)),
            "java -XX:MaxHeapSize=3072m -cp . Agent"
        );
        assert_eq!(
            made("/usr/bin/javac A.java", 256, Some(24_000)),
            "/usr/bin/javac -J-XX:MaxHeapSize=128m A.java"
        );
        for (line, memory, machine) in [
            ("java -Xmx1g -cp . Agent", 4096, Some(24_000)),
            ("java -XX:MaxRAMPercentage=50 A", 4096, Some(24_000)),
            ("python3 java", 4096, Some(24_000)),
            ("java -cp . Agent", 4096, Some(8_000)),
            ("java -cp . Agent", 4096, None),
            ("java -cp . Agent", 64, Some(24_000)),
        ] {
            assert_eq!(made(line, memory, machine), line);
        }
    }
}
