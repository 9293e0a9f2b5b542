names = open("input.txt").readline().split()
open("output.txt", "w").write("".join("%s left\n" % name for name in names))
