"""The page that plays the games, as scripts/test-site serves it and presses on it."""

import http.server
import random
import re
import subprocess
import threading
import time
from pathlib import Path

GAMES = subprocess.run([Path(__file__).with_name("games")], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
failures = []


def check(what, holds, detail=""):
    print(f"{'ok  ' if holds else 'FAIL'} {what}{'' if holds else f': {detail}'}", flush=True)
    if not holds:
        failures.append(what)


def serve(site):
    """The site in a folder of a server; answers with its address, the list of what was asked for, and the server."""
    asked = []

    class Handler(http.server.SimpleHTTPRequestHandler):
        def translate_path(self, path):
            return str(site / path.split("?")[0].removeprefix("/some/folder/")) if path.startswith("/some/folder/") else "/nowhere"

        def log_message(self, *words):
            asked.append(words[1] if len(words) > 1 else "")

        def handle(self):
            # A browser that has closed a connection did nothing wrong.
            try:
                super().handle()
            except ConnectionError:
                pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/some/folder/index.html", asked, server


class Page:
    """The page, and the ways to press on it."""

    def __init__(self, browser, address):
        self.browser, self.value, self.address = browser, browser.evaluate, address
        self.random, self.complaints = random.Random(20), []

    def open(self, fragment=""):
        # Opening forgets what the console said.
        self.complaints += self.browser.complaints()
        self.browser.open(self.address + fragment)
        self.settled()

    def fresh(self, fragment="?game=halma"):
        self.value("localStorage.clear()")
        self.open(fragment)

    def say(self):
        return self.value("document.getElementById('say').textContent")

    def plies(self):
        return self.value("document.querySelectorAll('#moves li').length - 1")

    def over(self):
        return re.search(r"( wins|A draw): \w", self.say()) is not None

    def settled(self):
        """Waits until it is the person's turn, or the game is over."""
        self.browser.wait("/your turn|( wins|A draw): /.test(document.getElementById('say').textContent)")

    def choose(self, element, word):
        self.value(f"(e => {{ e.value = '{word}'; e.dispatchEvent(new Event('change')) }})(document.getElementById('{element}'))")
        self.settled()

    def linked(self):
        """The game's link, once the address has it as it is now."""
        self.browser.wait("import('./flow.js').then(async flow => location.hash === '#g=' + await flow.packed())")
        return self.value("location.hash")

    def press(self, name):
        self.value(f"document.querySelector('[data-do={name}]').click()")

    def cells(self, kind):
        return self.value(f"[...document.querySelectorAll('#grid .{kind}')].map(cell => cell.dataset.at)")

    def middle(self, at):
        return self.value(f"""(cell => {{ cell.scrollIntoView({{ block: 'nearest' }}); const box = cell.getBoundingClientRect();
            return [box.left + box.width / 2, box.top + box.height / 2] }})(document.querySelector('#grid [data-at="{at}"]'))""")

    def click(self, at):
        x, y = self.middle(at)
        for kind in ("mousePressed", "mouseReleased"):
            self.browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def drag(self, start, end):
        for kind, at in (("mousePressed", start), ("mouseMoved", end), ("mouseReleased", end)):
            x, y = self.middle(at)
            self.browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)

    def touch(self, at):
        x, y = self.middle(at)
        self.browser.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.browser.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def key(self, at):
        """Walks to a square by the arrow keys, across or else down or up, and presses Enter."""
        here = self.value("document.activeElement.dataset.at ?? null")
        if here is None:
            here = self.value("(cell => { cell.focus(); return cell.dataset.at })(document.querySelector('#grid [tabindex=\"0\"]'))")
        for _ in range(60):
            (x, y), (to_x, to_y) = ((int(part) for part in place.split(",")) for place in (here, at))
            keys = ["ArrowRight" if to_x > x else "ArrowLeft"] * (to_x != x) + ["ArrowDown" if to_y > y else "ArrowUp"] * (to_y != y)
            for key in keys:
                self.browser.press(key)
                now = self.value("document.activeElement.dataset.at")
                if now != here:
                    break
            if not keys:
                break
            here = now
        self.browser.press("Enter")

    def turn(self, press):
        """One move by presses on the board: a piece, then steps until the move is made."""
        now = "document.querySelector('#moves .now').textContent"
        before = self.value(now)
        at = self.random.choice(self.cells("mover"))
        press(at)
        for _ in range(100):
            if self.value(now) != before:
                break
            steps, chosen = self.cells("step"), self.cells("chosen")
            if not chosen or not steps and "again" not in self.say():
                time.sleep(0.02)
            elif "again" in self.say() and (not steps or self.random.random() < 0.5):
                press(at)
            else:
                at = self.random.choice(steps)
                press(at)
        self.browser.wait(f"{now} !== {before!r}")
        self.settled()

    def game(self, press, most):
        while not self.over() and self.plies() < most:
            self.turn(press)
