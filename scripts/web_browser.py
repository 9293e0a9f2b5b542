"""A browser that scripts/test-web drives: Chromium, by the DevTools protocol over a pipe (no other package is needed)."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 60


def read_file(path):
    """The text of a file of a process, empty if that has ended."""
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""


class Browser:
    """A headless Chromium with one page."""

    def __init__(self):
        program = next((path for name in NAMES if (path := shutil.which(name))), None)
        if program is None:
            raise FileNotFoundError("no Chromium here: apt-get install chromium")
        self.profile = tempfile.mkdtemp()
        to_browser, self.write = os.pipe()
        self.read, from_browser = os.pipe()

        def place_pipes():
            # The browser reads descriptor 3 and writes 4; neither may be overwritten before it is copied.
            ends = [os.dup(end) for end in (to_browser, from_browser)]
            ends = [os.dup(end) if end < 5 else end for end in ends]
            for target, end in zip((3, 4), ends):
                os.dup2(end, target)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
             f"--user-data-dir={self.profile}", "--hide-scrollbars", "about:blank"],
            preexec_fn=place_pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.events = b"", 0, []
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        self.session = None
        attached = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def message(self):
        while b"\0" not in self.buffer:
            part = os.read(self.read, 1 << 20)
            if not part:
                raise ConnectionError("the browser has ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **params):
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": params}
        if getattr(self, "session", None):
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, address):
        self.events.clear()
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address)
        end = time.monotonic() + PATIENCE
        while self.evaluate("document.readyState") != "complete" or self.evaluate("location.href") == "about:blank":
            if time.monotonic() > end:
                raise TimeoutError(address)
            time.sleep(0.05)

    def evaluate(self, expression):
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            details = found["exceptionDetails"]
            raise RuntimeError(f"{expression}: {details.get('exception', {}).get('description', details['text'])}")
        return found["result"].get("value")

    def wait(self, expression):
        """Waits until an expression is true."""
        end = time.monotonic() + PATIENCE
        while not self.evaluate(expression):
            if time.monotonic() > end:
                raise TimeoutError(expression)
            time.sleep(0.05)

    def press(self, key, code=None):
        text = {"Enter": "\r", " ": " "}.get(key, key if len(key) == 1 else "")
        code = code or {" ": "Space"}.get(key, key)
        codes = {"Tab": 9, "Enter": 13, " ": 32, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
        common = {"key": key, "code": code, "windowsVirtualKeyCode": codes.get(key, 0)}
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def size(self, width, height, dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = "dark" if dark else "light"
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def picture(self, path):
        shot = self.call("Page.captureScreenshot", format="png")
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))

    def memory(self):
        """Bytes of memory that the processes of pages have of their own, workers included."""
        found = subprocess.run(["pgrep", "-P", str(self.process.pid), "-f", "type=zygote"], capture_output=True, text=True).stdout.split()
        pages = []
        while found:
            pid = found.pop()
            found += subprocess.run(["pgrep", "-P", pid], capture_output=True, text=True).stdout.split()
            pages += [pid] if "type=renderer" in read_file(f"/proc/{pid}/cmdline") else []
        lines = [line for pid in pages for line in read_file(f"/proc/{pid}/smaps_rollup").splitlines() if line.startswith("Private_")]
        return 1024 * sum(int(line.split()[1]) for line in lines)

    def complaints(self):
        """What the console shows as an error, and exceptions."""
        self.evaluate("0")
        said = []
        for event in self.events:
            method, params = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                said.append(json.dumps(params["exceptionDetails"])[:300])
            elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
                said.append(params["entry"]["text"])
            elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
                said.append(json.dumps(params["args"])[:300])
        return said

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)
