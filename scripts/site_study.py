"""What scripts/test-site tries beyond playing: records, analysis, threats, positions by hand, clocks, pictures, axe-core, no network."""

import json
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from site_page import GAMES, check

NODES = 10000
TREE = "import('./state.js').then(({ state }) => state.tree.line().map(one => ({ input: one.input, output: one.output, side: one.side, text: one.text })))"
STUDY = "import('./state.js').then(({ state }) => state.tree.line().slice(1).map(({ study }) => study && { mark: study.mark, expected: study.expected, cost: study.cost, better: study.better?.line.map(step => step.move) ?? null }))"


def text(page, name):
    return page.value(f"document.getElementById('{name}').textContent")


def put_file(page, path):
    """Chooses a file, as in the window that "open a file" opens."""
    page.browser.call("DOM.enable")
    root = page.browser.call("DOM.getDocument")["root"]["nodeId"]
    node = page.browser.call("DOM.querySelector", nodeId=root, selector="#file")["nodeId"]
    page.browser.call("DOM.setFileInputFiles", nodeId=node, files=[str(path)])


def record_of(page, words):
    """The record of the game that is shown, as the judge would write it; and one more of three moves, which is not over."""
    line = page.value(TREE)
    header = {"event": "header", "version": 3, "game": "foxgame", "rules": None, "engines": [], "shape": "roundrobin", "pairs": 1, "openings": "start",
              "seed": 1, "max_plies": 300, "at_limit": "draw", "bounds": {}, "shard": None}
    events = [header]
    for game, moves in ((1, line[1:]), (2, line[1:4])):
        events.append({"event": "start", "game": game, "players": ["Ann", "<b>Bob</b>"], "opening": line[0]["input"], "line": []})
        for ply, move in enumerate(moves):
            events.append({"event": "move", "game": game, "ply": ply, "side": words[move["side"]], "move": move["text"], "output": move["output"], "cpu": 0.1,
                           "wall": 0.1, "left": 10 - ply / 10})
        if game == 1:
            events.append({"event": "end", "game": 1, "players": ["Ann", "<b>Bob</b>"], "winner": 1, "termination": "time forfeit", "reason": "out of time",
                           "plies": len(moves), "cpu": [1.0, 1.0]})
    return "".join(json.dumps(event) + "\n" for event in events) + '{"event":"mo'


def analysed(page):
    page.browser.wait("/analysed$/.test(document.getElementById('studied').textContent)")
    return page.value(STUDY)


def studies(page, judge):
    """A record opened and walked through, its analysis, an output.txt checked."""
    value, wait = page.value, page.browser.wait
    page.fresh("?game=foxgame")
    page.game(page.click, 12)
    words = value("import('./state.js').then(({ state }) => state.info.sides)")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.jsonl"
        path.write_text(record_of(page, words))
        page.fresh("?game=halma")
        put_file(page, path)
        wait("!document.getElementById('record').hidden && document.querySelectorAll('#moves li').length > 12")
        check("a record is opened at its first position", value("document.getElementById('game').value") == "foxgame"
              and value("document.querySelector('#moves .now').textContent").startswith("start"), page.say())
        names = text(page, "record-names")
        check("... with the names of its players as they are", "Ann" in names and "<b>Bob</b>" in names, names)
        page.press("last")
        wait("document.querySelector('#moves li:last-child').classList.contains('now')")
        check("... and the way it ended", "time forfeit, out of time" in page.say(), page.say())
        page.browser.press("ArrowLeft")
        wait("document.querySelector('#moves li:nth-last-child(2)').classList.contains('now')")
        check("... the left arrow walks back", True)
        value(f"document.getElementById('effort').options[0].value = {NODES}; document.getElementById('effort').value = {NODES}")
        page.press("study")
        found = analysed(page)
        plies = page.plies()
        check(f"the game is analysed, {plies} moves", len(found) == plies and all(found) and value("document.querySelector('#plot .chance') !== null"), found)
        marked = [at for at, one in enumerate(found) if one["mark"]]
        check(f"... with marks ({len(marked)}) in the list and in the plot",
              value("document.querySelectorAll('#moves .mark').length") == len(marked) == value("document.querySelectorAll('#plot .tick').length"), marked)
        if marked:
            value(f"document.querySelectorAll('#moves .move')[{marked[0] + 1}].click()")
            wait("document.querySelector('#found b') !== null && document.querySelector('#board .better, #board .better-head') !== null")
            check("... what was better is an arrow and words", "better: " in text(page, "found"), text(page, "found"))
        if judge:
            compare(path, folder, judge, found)
        value("(e => { e.value = 1; e.dispatchEvent(new Event('change')) })(document.getElementById('games'))")
        wait("document.querySelectorAll('#moves li').length === 4")
        check("another game of the record is chosen", True)
        path.write_text('{"event":"header","game":"foxgame"}\n{"event":"move","game":3,"output":"x"}\n')
        put_file(page, path)
        wait("document.getElementById('wrong').textContent !== ''")
        check("a damaged record is refused with its line", text(page, "wrong").startswith("line 2: a move of game 3"), text(page, "wrong"))
        path.write_text("up and away\n")
        put_file(page, path)
        wait("document.getElementById('verdict').textContent !== ''")
        check("an output.txt is checked in the judge's words", text(page, "verdict").startswith("output.txt: line 1: "), text(page, "verdict"))
    page.fresh("?game=halma")
    page.press("paste")
    value("document.getElementById('text').value = 'E 4,0 5,0\\n'")
    page.press("check")
    wait("document.getElementById('verdict').textContent !== ''")
    check("... a legal one with the board after it", "BLACK plays 4,0-5,0" in text(page, "verdict"), text(page, "verdict"))
    page.turn(page.click)
    value("(e => { e.value = 1000000 })(document.getElementById('effort'))")
    page.press("study")
    wait("document.getElementById('study-button').textContent === 'stop'")
    page.press("study")
    check("an analysis can be stopped", text(page, "studied") == "stopped" and text(page, "study-button").startswith("analyse"), text(page, "studied"))


def compare(path, folder, judge, found):
    """The page's findings and those of `judge analyse`."""
    out = Path(folder) / "findings.jsonl"
    events = [json.loads(line) for line in path.read_text().splitlines()[:-1]]
    events[0]["engines"] = [{"name": name, "kind": "random", "clock": {"game": 10.0}, "margin": 0.0} for name in ("Ann", "<b>Bob</b>")]
    run = subprocess.run([judge, "analyse", path, "--game", "1", "--nodes", str(NODES), "--json", out], capture_output=True, text=True)
    if run.returncode:
        check("the judge reads the same record", False, run.stderr)
        return
    told = [json.loads(line) for line in out.read_text().splitlines()]
    told = [line for line in told if "mark" in line]
    same = [one["mark"] == line["mark"] for one, line in zip(found, told)]
    chances = [abs((1 + line["chance"]) / 2 - (one["expected"] if line["ply"] % 2 == 0 else 1 - one["expected"])) < 1e-6 for one, line in zip(found, told)]
    check(f"the page's analysis is the judge's, {len(told)} moves", len(told) == len(found) and all(same) and all(chances), list(zip(found, told)))


def positions(page):
    """Threats, positions set up by hand, clocks, pictures."""
    value, wait = page.value, page.browser.wait
    page.fresh("?game=foxgame")
    page.press("threat")
    wait("!document.querySelector('[data-do=threat]').disabled")
    check("a threat is shown", "if it were SHEEP's turn: " in text(page, "hint") and value("document.querySelector('#board .threat, #board .threat-head') !== null"), text(page, "hint"))
    page.fresh("?game=squirrels")
    page.press("threat")
    wait("!document.querySelector('[data-do=threat]').disabled")
    check("a threat or the reason why there is none, in Squirrels", "turn: " in text(page, "hint") or "no threat" in text(page, "hint"), text(page, "hint"))

    for game in GAMES:
        page.fresh(f"?game={game}")
        page.press("setup")
        wait("document.getElementById('text').value.length > 20")
        value("document.querySelectorAll('#palette input')[1].click()")
        empty = value("[...document.querySelectorAll('#grid .cell')].find(cell => cell.ariaLabel.includes('empty')).dataset.at")
        page.click(empty)
        wait(f"!document.querySelector('#grid [data-at=\"{empty}\"]').ariaLabel.includes('empty')")
        put = value(f"document.querySelector('#grid [data-at=\"{empty}\"]').ariaLabel")
        words = value("import('./state.js').then(({ state }) => state.info.sides)")
        check(f"{game}: a press puts a piece down ({put})", any(word in put for word in words), put)
        discs = value("[...document.querySelectorAll('#palette label')].map(one => one.querySelector('.disc')?.className.slice(-1))")
        check(f"... its colours are those of the sides ({discs})", set(discs) - {None} == {"0", "1"} and words[int(discs[1])] in put, (discs, put))
        page.press("setup-clear")
        wait("[...document.querySelectorAll('#grid .cell')].every(cell => cell.ariaLabel.includes('empty'))")
        if game != "squirrels":
            wait("document.getElementById('setup-wrong').textContent !== ''")
            wrong = text(page, "setup-wrong")
            check(f"... and the rules say what is wrong with an empty board ({wrong})", value("document.querySelector('[data-do=setup-done]').disabled"), wrong)
        page.press("setup")
        wait("document.getElementById('setup-panel').hidden")
    page.fresh("?game=wolves")
    page.choose("player1", "you")
    page.press("setup")
    wait("document.getElementById('text').value.length > 20")
    value("document.querySelectorAll('#palette input')[1].click()")
    page.click("2,2")
    wait("document.querySelector('#grid [data-at=\"2,2\"]').ariaLabel.includes('SHEEP') && !document.querySelector('[data-do=setup-done]').disabled")
    page.press("setup-done")
    wait("document.getElementById('setup-panel').hidden && document.getElementById('say').textContent.includes('your turn')")
    check("a position set up by hand is played", value("document.querySelector('#grid [data-at=\"2,2\"]').ariaLabel").startswith("2,2: SHEEP"))

    svg = value("import('./pictures.js').then(p => p.boardAsSvg(document.querySelector('#board svg')))")
    parsed = value("import('./pictures.js').then(p => new DOMParser().parseFromString(p.boardAsSvg(document.querySelector('#board svg')), 'image/svg+xml').querySelectorAll('.piece').length)")
    check(f"the board as SVG stands by itself, {len(svg)} bytes", parsed >= 10 and "var(" not in svg, svg[:300])
    png = value("import('./pictures.js').then(async p => { const png = await p.asPng(p.boardAsSvg(document.querySelector('#board svg'))); return [png.type, png.size] })")
    check(f"... and as PNG, {png[1]} bytes", png[0] == "image/png" and png[1] > 2000, png)
    for name in ("svg", "png"):
        before = value(f"document.querySelector('[data-do={name}]').textContent")
        page.press(name)
        wait(f"document.querySelector('[data-do={name}]').textContent !== '{before}'")
        said = value(f"document.querySelector('[data-do={name}]').textContent")
        check(f"... {before}: {said}", said in ("copied", "saved"), said)

    page.fresh("?game=foxgame")
    page.choose("clock", "60")
    page.turn(page.click)
    figures = value("[...document.querySelectorAll('.figures')].map(one => one.textContent)")
    check("both clocks are shown", all("left" in one for one in figures), figures)
    value("import('./state.js').then(({ state }) => { state.tree.at.left = [1, 1] })")
    wait("/the time of \\w+ is up/.test(document.getElementById('say').textContent)")
    check("whoever has used up the time has lost", " wins: the time of FOX is up" in page.say(), page.say())
    value("(e => { e.value = 'full'; e.dispatchEvent(new Event('change')) })(document.getElementById('player0'))")
    value("(e => { e.value = 'club'; e.dispatchEvent(new Event('change')) })(document.getElementById('player1'))")
    value("document.getElementById('new').click()")
    wait("document.querySelectorAll('#moves li').length > 3")
    page.press("stop")
    figures = value("[...document.querySelectorAll('.figures')].map(one => one.textContent)")
    check("agent against agent with clocks", all("left" in one for one in figures), figures)


def axe(page):
    """axe-core finds nothing, in wide, narrow and dark."""
    if not shutil.which("npm"):
        print("left out: axe-core, since there is no npm here")
        return
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--silent", "axe-core"], cwd=folder, capture_output=True, text=True)
        script = Path(folder) / "node_modules/axe-core/axe.min.js"
        if not script.is_file():
            print(f"left out: axe-core, which npm does not get here: {run.stderr.strip()[-200:]}")
            return
        source = script.read_text()
    for width, height in ((1280, 900), (360, 740)):
        for dark in (False, True):
            page.browser.size(width, height, dark)
            for game in ("halma", "foxgeese", "squirrels"):
                page.fresh(f"?game={game}")
                page.turn(page.click)
                page.press("hint")
                page.browser.wait("!document.querySelector('[data-do=hint]').disabled")
                page.press("setup")
                page.browser.wait("!document.getElementById('setup-panel').hidden")
                if width == 360:
                    page.value("document.getElementById('choices').open = true")
                page.value(source + ";0")
                found = page.value("axe.run(document).then(({ violations }) => violations.map(one => [one.id, one.nodes.map(node => node.html.slice(0, 120) + ' ' + node.failureSummary.slice(0, 300)).slice(0, 3)]))")
                check(f"axe-core on {game}, {width} px{', dark' if dark else ''}: no violation", found == [], found)
                page.press("setup")
    page.browser.size(1440, 900)


def offline(page, server):
    """Without a server, after the first visit: every game plays, and what it has stored is there."""
    page.fresh()
    page.value("navigator.serviceWorker.ready.then(ready => ready.active.state)")
    page.browser.wait("navigator.serviceWorker.controller !== null")
    server.shutdown()
    server.server_close()
    for game in GAMES:
        page.fresh(f"?game={game}")
        page.turn(page.click)
        check(f"{game} plays without a network", page.plies() >= 1, page.say())
    page.fresh("?game=foxgeese")
    page.press("hint")
    page.browser.wait("/%/.test(document.getElementById('hint').textContent)")
    check("... and what is stored of a game is there", "proven" in text(page, "hint"), text(page, "hint"))


def patience(page, minutes):
    """The memory of a page that thinks for minutes, and how soon it stops."""
    page.fresh("?game=halma")
    page.value("document.getElementById('amount').value = 600")
    page.value("(e => { e.value = 'full'; e.dispatchEvent(new Event('change')) })(document.getElementById('player0'))")
    page.value("(e => { e.value = 'full'; e.dispatchEvent(new Event('change')) })(document.getElementById('player1'))")
    page.browser.wait("!document.querySelector('[data-do=now]').disabled")
    end, seen = time.monotonic() + 60 * minutes, []
    while time.monotonic() < end:
        seen.append(page.browser.memory())
        print(f"{60 * minutes - (end - time.monotonic()):.0f} s: {seen[-1] / 2**20:.1f} MiB, {text(page, 'odds')}", flush=True)
        time.sleep(min(30, 60 * minutes / 4))
    seen.append(page.browser.memory())
    took = page.value("""(async () => { const from = performance.now(); document.querySelector('[data-do=stop]').click();
        await new Promise(done => setTimeout(done)); return performance.now() - from })()""")
    half = len(seen) // 2
    first, later = max(seen[:half]), max(seen[half:])
    print(f"at most {first / 2**20:.1f} MiB in the first half and {later / 2**20:.1f} in the second; stopped after {took:.0f} ms")
    check("memory does not grow", later < 1.1 * first, seen)
