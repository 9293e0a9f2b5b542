# Compares what is installed with the needs that the arguments name: those of modules, "--", those of compilers.
# Prints a line for each: the need, what there is, and 1 if that is enough, 0 if not, or ? if the need is malformed.
# A bound of a version is compared with as many parts of the version as it has: 3.11.7 is ==3.11.
import operator
import re
import subprocess
import sys

SIGNS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def of_module(name):
    if name == "Python":
        return "%d.%d.%d" % sys.version_info[:3]
    try:
        from importlib.metadata import version

        return version(name)
    except Exception:
        return getattr(__import__(name), "__version__", "0")


def of_compiler(name):
    # Java 8 knows no --version.
    option = "-version" if name.startswith("java") else "--version"
    said = subprocess.run([name, option], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=20).stdout
    return re.search(r"\d+(\.\d+)+|\d+", said.decode(errors="replace")).group()


def is_within(bounds, version):
    found = [int(re.match(r"\d*", part).group() or 0) for part in version.split(".")]
    for bound in bounds.split(",") if bounds else []:
        sign, wanted = re.match(r"\s*([<>=!]+)\s*([\d.]*\d)\s*$", bound).groups()
        wanted = [int(part) for part in wanted.split(".")]
        padded = found[: len(wanted)] + [0] * (len(wanted) - len(found))
        if not SIGNS[sign](padded, wanted):
            return False
    return True


look = of_module
for need in sys.argv[1:]:
    if need == "--":
        look = of_compiler
        continue
    name, bounds = re.match(r"\s*([^<>=!~\s]+)\s*(.*)", need).groups()
    try:
        has = look(name)
    except Exception:
        has = None
    try:
        is_met = int(is_within(bounds, has or "0") and has is not None)
    except Exception:
        is_met = "?"
    print("%s\t%s %s\t%s" % (need, name, has or "is missing", is_met))
