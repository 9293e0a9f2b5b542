// The page's controls, keyboard shortcuts and files.
import { tick } from "./clock.js";
import { draw, drawPlayers, offer, stepped, whenPressed } from "./draw.js";
import { MEMORY, advise, begin, fresh, goOn, goTo, moveNow, packed, play, settle, stop, takeBack, walk } from "./flow.js";
import { LEVELS } from "./levels.js";
import { LONGEST, isRecord, readRecord, titleOf } from "./record.js";
import * as setup from "./setup.js";
import { copyInput, copyLink, copyPng, copySvg, openPaste } from "./share.js";
import { GAMES, complain, desk, freshSeed, grid, mind, state } from "./state.js";
import { analyse, explained, forget } from "./study.js";
import { unpack } from "./tree.js";

// Begins another game in place of the current one, and ends its analysis.
const another = (...words) => { forget(); return begin(...words); };

async function restore(text, asked) {
  const kept = await unpack(text);
  if (asked && kept.game !== asked) throw new Error("another game is asked for");
  if (!Object.hasOwn(GAMES, kept.game)) throw new Error("this page does not have the game of this link");
  if (Array.isArray(kept.players) && kept.players.length === 2 && kept.players.every(one => one === "you" || Object.hasOwn(LEVELS, one))) state.players = kept.players;
  state.seed = kept.seed | 0;
  state.clock = [...byId("clock").options].some(one => one.value === String(kept.clock)) ? kept.clock : null;
  await another(kept.game, kept.rules, kept.input, kept.moves);
}

async function opened() {
  const link = location.hash.startsWith("#g=") ? location.hash.slice(3) : null;
  const asked = new URLSearchParams(location.search).get("game");
  let text = link;
  try { text ??= localStorage.getItem(MEMORY); } catch { /* A page in a frame may have no local storage. */ }
  let wrong = null;
  if (text) try { await restore(text, link ? null : asked); return; } catch (error) { wrong = error; }
  try {
    freshSeed();
    // A broken link is reported. A broken game from local storage is not: an older page may have written it.
    if (link && wrong) state.wrong = `This link cannot be opened: ${wrong.message}.`;
    await begin(Object.hasOwn(GAMES, asked ?? "") ? asked : Object.keys(GAMES)[0]);
  } catch (error) { complain(error); }
}

// Loads a pasted or dropped text: a record, or an input.txt to play from.
async function load(text) {
  byId("wrong").textContent = byId("verdict").textContent = "";
  const plain = text.replaceAll("\r\n", "\n");
  try {
    if (isRecord(plain)) { await openRecord(plain); return; }
    if (state.editing) setup.leave();
    await another(state.info.name, byId("rules").value, plain);
    openPaste(false);
  } catch (error) { byId("wrong").textContent = error.message; }
}
const isInput = text => /^\uFEFF?(SINGLE|GAME)\s/.test(text);

async function check(text) {
  byId("wrong").textContent = byId("verdict").textContent = "";
  const { at, rules } = state.tree;
  try {
    const verdict = await desk.ask("check", [at.input ?? at.parent.input, rules, text]);
    byId("verdict").className = verdict.legal ? "legal" : "refused";
    byId("verdict").textContent = verdict.text;
  } catch (error) { byId("wrong").textContent = error.message; }
}

async function openRecord(text) {
  const record = readRecord(text);
  if (!Object.hasOwn(GAMES, record.game)) throw new Error(`a record of ${record.game}, a game that this page does not have`);
  // A record is for viewing: no agent continues its games.
  state.players = ["you", "you"];
  state.clock = null;
  const list = byId("games");
  list.replaceChildren(...record.games.map((game, at) => new Option(titleOf(game), at)));
  list.onchange = () => openGame(record, record.games[list.value]).catch(complain);
  await openGame(record, record.games[0]);
  openPaste(false);
}
async function openGame(record, game) {
  await another(record.game, record.rules, game.input, game.moves.map(move => move.output), game);
  byId("record-names").textContent = game.players.map((name, side) => `${state.info.sides[side]}: ${name}`).join(", ");
  byId("record").hidden = false;
  await explained(game.moves);
}

async function openFile(file) {
  if (!file) return;
  openPaste(true);
  if (file.size > LONGEST) { byId("wrong").textContent = `${file.name}: expected at most ${LONGEST / 1e6} MB`; return; }
  const text = await file.text();
  // A record is too long for the text field.
  if (isRecord(text)) { await load(text); return; }
  byId("text").value = text.slice(0, 100_000);
  if (isInput(text)) await load(text); else await check(text);
}

for (const [name, { title }] of Object.entries(GAMES)) byId("game").append(new Option(title, name));
for (const side of [0, 1]) {
  const select = byId(`player${side}`);
  select.append(new Option("you", "you"), ...Object.entries(LEVELS).map(([name, { title, words }]) => {
    const option = new Option(title, name);
    option.title = words;
    return option;
  }));
  select.onchange = () => { state.players[side] = select.value; state.halted = false; offer(); settle(); };
}
const closeRecord = () => { byId("record").hidden = true; };
const anew = (game, rules) => { forget(); closeRecord(); if (state.editing) setup.leave(); return fresh(game, rules); };
byId("game").onchange = event => anew(event.target.value);
byId("rules").onchange = event => anew(state.info.name, event.target.value);
byId("clock").onchange = event => { state.clock = event.target.value ? Number(event.target.value) : null; anew(state.info.name, byId("rules").value); };
byId("new").onclick = () => anew(byId("game").value, byId("rules").value);
byId("judge").onchange = () => { if (!state.thinking) settle(); };
byId("file").onchange = event => { openFile(event.target.files[0]).catch(complain); event.target.value = ""; };
byId("text").oninput = event => { if (state.editing) setup.typed(event.target.value); };
grid.played = move => play(move.output);
grid.changed = stepped;
whenPressed(goTo);

const actions = {
  undo: () => grid.undo(), back: takeBack, hint: () => advise("hint"), threat: () => advise("threat"), stop, now: moveNow,
  first: () => walk(-Infinity), previous: () => walk(-1), next: () => walk(1), last: () => walk(Infinity), study: analyse,
  copy: copyInput, link: copyLink, svg: copySvg, png: copyPng,
  paste: () => openPaste(byId("paste").hidden), load: () => load(byId("text").value), check: () => check(byId("text").value),
  open: () => byId("file").click(),
  setup: () => { if (state.editing) { setup.leave(); return; } openPaste(true); setup.setUp(); }, "setup-clear": setup.clear, "setup-done": () => { forget(); closeRecord(); setup.done(); openPaste(false); },
};
document.querySelectorAll("[data-do]").forEach(button => { button.onclick = () => { if (state.tree) actions[button.dataset.do](button); }; });
const keys = { Escape: "undo", b: "back", h: "hint", t: "threat", s: "stop", n: "now", ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };
document.addEventListener("keydown", event => {
  const name = keys[event.key];
  if (!name || !state.tree || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("textarea, input, select, summary")) return;
  if (document.querySelector(`[data-do=${name}]`).disabled) return;
  if (event.key.length > 1) event.preventDefault();
  actions[name]();
});
document.addEventListener("visibilitychange", () => {
  if (!state.tree) return;
  if (document.hidden && state.thinking) { state.turn++; mind.stop(); state.thinking = null; draw(); } else if (!document.hidden) goOn(++state.turn);
});
addEventListener("hashchange", () => { if (location.hash !== state.link && location.hash.startsWith("#g=")) restore(location.hash.slice(3)).catch(complain); });
document.addEventListener("dragover", event => event.preventDefault());
document.addEventListener("drop", event => { event.preventDefault(); openFile(event.dataTransfer.files[0]).catch(complain); });
setInterval(() => tick(drawPlayers, () => { state.turn++; mind.stop(); state.thinking = null; draw(); }), 100);
// On a small screen the choices are folded, so that the board comes first.
if (matchMedia("(max-width: 759px)").matches) byId("choices").open = false;
// The service worker makes the page work offline. Where service workers are not allowed, the page works without.
navigator.serviceWorker?.register("offline.js").catch(() => {});
opened();
