// The page's controls, keyboard shortcuts and files.
import { addPrograms } from "./bench.js";
import { tick } from "./clock.js";
import { draw, drawBoardNow, drawPlayers, faceOwn, offer, showPictures, stepped, turnBoard, whenFollowed, whenPressed } from "./draw.js";
import { MEMORY, advise, begin, follow, fresh, goOn, goTo, moveNow, offerDraw, packed, place, play, rematch, resign, settle, stop, takeBack, toggleLive, walk } from "./flow.js";
import { keepOffline, keptGames } from "./kept.js";
import { LEVELS } from "./levels.js";
import { showSound, toggleSound } from "./motion.js";
import { loadPacked } from "./packed.js";
import { GAMES, complain, desk, freshSeed, grid, mind, positionNow, setMode, state } from "./state.js";
import { openTab, whenOpened } from "./tabs.js";
import { unpack } from "./tree.js";

// Parts of the page that a first move does not need are loaded when they are used: records of games, positions set up by hand, sharing, analysis.
// What waits for one of them goes on in the order in which it was asked for: two imports of a file may end in another one.
const inOrder = load => { let part = null; return () => part ??= load().catch(error => { part = null; throw error; }); };
const records = inOrder(() => import("./records.js")), setup = inOrder(() => import("./setup.js"));
const share = name => button => import("./share.js").then(module => module[name](button)).catch(complain);
let studying = null;
const study = async () => studying ??= await import("./study.js");
const forget = () => studying?.forget();
whenOpened("study", () => study().catch(complain));
const closeRecord = () => { byId("record").hidden = true; };

// Begins another game in place of the current one, and ends its analysis.
const another = (...words) => { forget(); return begin(...words); };

async function restore(text, asked) {
  const kept = await unpack(text);
  intended = kept.game;
  if (asked && kept.game !== asked) throw new Error("another game is asked for");
  if (!Object.hasOwn(GAMES, kept.game)) throw new Error("this page does not have the game of this link");
  if (Array.isArray(kept.players) && kept.players.length === 2 && kept.players.every(one => one === "you" || Object.hasOwn(LEVELS, one))) Object.assign(state, { players: kept.players, seated: true });
  state.seed = kept.seed | 0;
  state.clock = [...byId("clock").options].some(one => one.value === String(kept.clock)) ? kept.clock : null;
  setMode("play");
  await another(kept.game, kept.rules, kept.input, kept.moves, { notes: kept.notes, partly: true });
}

// The game of the link that was read last.
let intended = null;
const linked = () => location.hash.startsWith("#g=") ? location.hash.slice(3) : null;
// Opens the game of a record that this entry of the browser's history names; false if it names none, or one that cannot be opened: the link has the game.
async function reopened() {
  if (history.state?.record === undefined) return false;
  try { await (await records()).reopen(history.state, linked()); return true; } catch (error) { state.wrong = `${error.message}.`; return false; }
}

async function opened(games) {
  const link = linked();
  const asked = new URLSearchParams(location.search).get("game");
  if (await reopened()) return;
  let text = link;
  // Who has brought a program plays against it.
  try { if (!games.length) text ??= localStorage.getItem(MEMORY); } catch { /* A page in a frame may have no local storage. */ }
  let wrong = null;
  if (text) try { await restore(text, link ? null : asked); return; } catch (error) { wrong = error; }
  try {
    freshSeed();
    const known = Object.hasOwn(GAMES, asked ?? ""), meant = Object.hasOwn(GAMES, intended ?? "") ? intended : null;
    await begin(known ? asked : meant ?? Object.keys(GAMES).find(name => games.includes(name)) ?? Object.keys(GAMES)[0]);
    started();
    // A broken link is reported. A broken game from local storage is not: an older page may have written it.
    if (link && wrong) trouble(`This link cannot be opened: ${wrong.message}. Here is a new game.`);
    else if (asked !== null && !known) trouble(`There is no game “${asked}” here. The games are ${Object.keys(GAMES).join(", ")}.`);
  } catch (error) { complain(error); }
}

// Loads a pasted or dropped text: a record, or an input.txt to play from.
async function load(text) {
  byId("wrong").textContent = byId("verdict").textContent = "";
  const plain = text.replaceAll("\r\n", "\n");
  try {
    if (isRecord(plain)) { await (await records()).openRecord(plain); return; }
    if (state.editing) (await setup()).leave();
    setMode("play");
    const { info: { name, own }, tree: { rules } } = state;
    await another(name, rules, own ? await desk.ask("stored", [plain, rules]) : plain);
    closeRecord();
    openTab("moves");
  } catch (error) { byId("wrong").textContent = error.message; }
}
const isRecord = text => /^\uFEFF?\s*\{\s*"event"/.test(text);
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

// The longest file that is opened, in bytes.
const LONGEST = 40_000_000;
async function openFile(file) {
  if (!file) return;
  setMode("play");
  openTab("setup");
  if (file.size > LONGEST) { byId("wrong").textContent = `${file.name}: expected at most ${LONGEST / 1e6} MB`; return; }
  const text = await file.text();
  // A record is too long for the text field.
  if (isRecord(text)) { await load(text); return; }
  byId("text").value = text.slice(0, 100_000);
  if (isInput(text)) await load(text); else await check(text);
}

const listGames = () => Object.entries(GAMES).forEach(([name, { title, goal }]) => {
  byId("game").append(new Option(title, name));
  const card = html("a", "card", byId("others"));
  card.href = `?game=${name}`;
  card.dataset.game = name;
  Object.assign(html("img", "", card), { alt: "", width: 56, height: 56 }).dataset.game = name;
  html("b", "", card, title);
  html("span", "", card, goal);
  card.onclick = event => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || !state.tree) return;
    event.preventDefault();
    if (name !== state.info.name) anew(name);
  };
});
// The pictures of the games, as SVG documents by the games' names. Without them the page has their names.
loadPacked("pictures.json.gz").then(bytes => showPictures(JSON.parse(new TextDecoder().decode(bytes)))).catch(() => {});
for (const side of [0, 1]) {
  const select = byId(`player${side}`);
  select.onchange = () => {
    state.players[side] = select.value;
    Object.assign(state, { halted: false, seated: true });
    if (state.tree) state.tree.players = [...state.players];
    faceOwn();
    offer();
    settle();
  };
}
const anew = async (game, rules) => { if (game !== state.info.name) state.seated = false; forget(); closeRecord(); if (state.editing) (await setup()).leave(); return fresh(game, rules); };
byId("game").onchange = event => anew(event.target.value);
byId("rules").onchange = event => anew(state.info.name, event.target.value);
byId("clock").onchange = event => { state.clock = event.target.value ? Number(event.target.value) : null; anew(state.info.name, state.tree.rules); };

// The game that "back to the game" goes back to, packed as text, and its tree.
let before = null;
async function choose() {
  before = { tree: state.tree, text: await packed() };
  stopThinking();
  setMode("new");
  const earlier = (title, go) => {
    const button = html("button", "", html("li", "", byId("kept")), title);
    button.type = "button";
    button.onclick = () => { closeRecord(); go().catch(complain); };
    byId("earlier").hidden = false;
  };
  byId("earlier").hidden = true;
  byId("kept").replaceChildren();
  keptGames().forEach(({ title, text }) => earlier(title, () => restore(text)));
  byId("play").focus();
  for (const { title, name, game, ply } of await (await import("./kept-records.js")).allRecords())
    earlier(`record: ${title}`, async () => (await records()).reopen({ record: name, game, ply }));
}
async function playNow() {
  // A game that has moves, or is over, is another one than that which is wanted now.
  const { root } = state.tree, old = state.mode === "new" && (root.next || root.over);
  setMode("play");
  if (old) await anew(state.info.name, state.tree.rules); else settle();
  // Where the other side moves first, the focus waits on an own piece.
  const own = state.players.indexOf("you"), piece = (positionNow().owners ?? "").indexOf(own);
  if (!grid.place.querySelector(".mover")) grid.setHere(piece, false);
  grid.place.querySelector("[tabindex='0']")?.focus({ preventScroll: true });
}
async function cancel() {
  setMode("play");
  if (state.tree === before.tree) settle(); else await restore(before.text).catch(complain);
}
function stopThinking() { state.turn++; mind.stop(); state.thinking = null; draw(); }

// Whether the chances are shown is kept in the browser.
const CHANCES = "menagerie.chances";
try { byId("judge").checked = localStorage.getItem(CHANCES) === "shown"; } catch { /* A page in a frame may have no local storage. */ }
byId("judge").onchange = event => {
  try { localStorage.setItem(CHANCES, event.target.checked ? "shown" : "hidden"); } catch { /* As above. */ }
  if (!state.thinking) settle();
};
byId("file").onchange = event => { openFile(event.target.files[0]).catch(complain); event.target.value = ""; };
byId("text").oninput = event => { if (state.editing) setup().then(({ typed }) => typed(event.target.value)); };
// The comment as the visitor has found it.
let known = "";
byId("comment").onfocus = ({ target: { value } }) => { known = value; };
byId("comment").onchange = ({ target: { value } }) => {
  const { tree: { at }, record } = state, before = known;
  known = value;
  records().then(({ comment }) => comment(at, record, value, before)).catch(complain);
};
grid.played = move => { keepOffline(); byId("choose").hidden = true; return state.lesson ? studying.tried(move) : play(move.output); };
grid.arrow = async (from, to) => {
  const { at } = state.tree, name = `${from} ${to}`, path = [from, ...(from === to ? [] : [to])].join(",").split(",").map(Number);
  at.arrows ??= [];
  const known = at.arrows.findIndex(arrow => arrow.name === name);
  if (known >= 0) at.arrows.splice(known, 1); else at.arrows.push({ name, way: await desk.ask("arrow", [path]) });
  drawBoardNow();
};
whenFollowed(follow);
grid.changed = stepped;
// Before the first game a press on the board, if it chooses no piece, is as good as "Play".
byId("frame").addEventListener("click", () => { if (state.mode === "welcome" && state.tree && !grid.chain.steps.length) playNow(); });
whenPressed(goTo);

const undo = () => grid.undo();
const actions = {
  play: playNow, cancel, new: choose, rematch: () => { forget(); closeRecord(); rematch(); },
  review: () => { openTab("study"); actions.study(); },
  back: () => { if (grid.chain.steps.length) undo(); else takeBack(); }, resign, draw: offerDraw, hint: () => advise("hint"), threat: () => advise("threat"), stop, now: moveNow,
  flip: () => { Object.assign(state, { turned: !state.turned, below: 1 - state.below }); turnBoard(); drawPlayers(); }, sound: toggleSound, live: toggleLive, learn: () => study().then(({ learn }) => learn()),
  first: () => walk(-Infinity), previous: () => walk(-1), next: () => walk(1), last: () => walk(Infinity), study: () => study().then(({ analyse }) => analyse()).catch(complain),
  copy: share("copyInput"), link: share("copyLink"), post: share("copyLetter"), record: () => records().then(({ saveRecord }) => saveRecord()), svg: share("copySvg"), png: share("copyPng"), print: () => print(),
  load: () => load(byId("text").value), check: () => check(byId("text").value), open: () => byId("file").click(),
  setup: () => setup().then(({ leave, setUp }) => state.editing ? leave() : setUp()).catch(complain), "setup-clear": () => setup().then(({ clear }) => clear()),
  "setup-done": async () => { forget(); closeRecord(); (await setup()).done(); openTab("moves"); },
};
document.querySelectorAll("[data-do]").forEach(button => { button.onclick = () => { if (state.tree) actions[button.dataset.do](button); }; });
const keys = { b: "back", h: "hint", t: "threat", s: "stop", n: "now", f: "flip", m: "sound", ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };
document.addEventListener("keydown", event => {
  if (event.key === "Escape" && state.tree && undo()) return;
  const name = keys[event.key];
  if (state.mode !== "play") return;
  if (!name || !state.tree || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("textarea, input, select, summary, [role=tab]")) return;
  if (document.querySelector(`[data-do=${name}]`).disabled) return;
  if (event.key.length > 1) event.preventDefault();
  actions[name]();
});
document.addEventListener("visibilitychange", () => {
  if (!state.tree) return;
  // A comment that is being written is kept where the page is left.
  const target = byId("comment");
  if (document.hidden && document.activeElement === target && target.value !== known) target.onchange({ target });
  if (document.hidden && state.thinking) { state.turn++; mind.stop(); state.thinking = null; draw(); } else if (!document.hidden) goOn(++state.turn);
});
addEventListener("popstate", async () => {
  if (location.hash === state.link && JSON.stringify(history.state) === JSON.stringify(place())) return;
  const link = linked();
  if (link === null) { state.link = location.hash; return; }
  closeRecord();
  // A step in the browser's history adds none to it.
  state.travelling++;
  try { if (!await reopened()) await restore(link); } catch (error) {
    complain(error);
    history.replaceState(place(), "", state.link || "#");
  }
  state.travelling--;
});
document.addEventListener("dragover", event => event.preventDefault());
document.addEventListener("drop", event => { event.preventDefault(); openFile(event.dataTransfer.files[0]).catch(complain); });
setInterval(() => tick(drawPlayers, () => { state.turn++; mind.stop(); state.thinking = null; draw(); }), 100);
showSound();
addPrograms().then(games => {
  listGames();
  // The game of the programs comes first, and the first of them is the opponent.
  if (LEVELS.program0) state.players = ["you", "program0"];
  opened(games);
});
