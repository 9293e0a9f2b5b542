# Prints each of the named modules that is installed beside Python's own library, with its version.
# For both versions of Python.
import sys

for name in sys.argv[1:]:
    try:
        module = __import__(name)
    except BaseException:
        continue
    file = str(getattr(module, "__file__", None) or list(getattr(module, "__path__", [""]))[0])
    if "-packages" in file:
        print("module\t%s %s" % (name, str(getattr(module, "__version__", ""))[:40]))
