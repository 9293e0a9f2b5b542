# Threads, processes, an event loop, files and a database; then the agent plays.
import asyncio, concurrent.futures, mmap, multiprocessing, os, sqlite3, subprocess, sys, tempfile

def work(count):
    return sum(range(count))

async def wait():
    process = await asyncio.create_subprocess_exec("true")
    await process.wait()
    await asyncio.sleep(0.01)

if __name__ == "__main__":
    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        list(threads.map(work, [10_000] * 16))
    with multiprocessing.Pool(4) as processes:
        processes.map(work, [10_000] * 8)
    asyncio.run(wait())
    with open("own", "w") as file:
        file.write("x")
    os.rename("own", "renamed")
    os.remove("renamed")
    with tempfile.TemporaryDirectory() as place, open(place + "/file", "w") as file:
        file.write("y")
    with open("/dev/zero", "rb") as zero:
        zeros = mmap.mmap(zero.fileno(), 3 << 20, access=mmap.ACCESS_COPY)
    for at in range(0, len(zeros), 4096):
        zeros[at] = zeros[at] + 1
    database = sqlite3.connect("database")
    database.execute("create table if not exists t (a)")
    database.execute("insert into t values (1)")
    database.commit()
    database.close()
    subprocess.run([sys.argv[1], "--depth", "1"], check=True)
