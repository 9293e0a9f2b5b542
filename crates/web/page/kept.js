// What outlives a page: the games played before, and the puzzles solved. kept-records.js keeps records.
const GAMES_KEPT = "menagerie.games", MOST = 20;

export function keptGames() {
  try {
    const list = JSON.parse(localStorage.getItem(GAMES_KEPT) ?? "[]");
    return Array.isArray(list) ? list.filter(one => typeof one?.title === "string" && typeof one.text === "string") : [];
  } catch { return []; }
}

// Keeps a game, packed as text, as the newest.
export function keepGame(title, text) {
  const list = [{ title, text }, ...keptGames().filter(one => one.text !== text)].slice(0, MOST);
  try { localStorage.setItem(GAMES_KEPT, JSON.stringify(list)); } catch { /* A page in a frame may have no local storage. */ }
}

// Has the service worker keep the page's files, which makes it work without a network. They are large: this waits for the first move. Where service
// workers are not allowed, the page works without.
export function keepOffline() { navigator.serviceWorker?.register("offline.js").catch(() => {}); }

const TASKS = "menagerie.tasks";
// The numbers of the tasks that are done, by game.
export function keptTasks() {
  try {
    const kept = Object.entries(JSON.parse(localStorage.getItem(TASKS)) ?? {});
    return Object.fromEntries(kept.filter(([, done]) => Array.isArray(done) && done.every(Number.isInteger)));
  } catch { return {}; }
}
export function keepTask(game, number) {
  const kept = keptTasks();
  kept[game] = [...new Set([...kept[game] ?? [], number])];
  try { localStorage.setItem(TASKS, JSON.stringify(kept)); } catch { /* A page in a frame may have no local storage. */ }
}

const PUZZLES = "menagerie.puzzles";
// The puzzles solved, by game and seed of its file, the present streak of puzzles solved at the first try, and the longest one.
export function keptPuzzles() {
  const none = { streak: 0, best: 0, solved: {} };
  try {
    const kept = JSON.parse(localStorage.getItem(PUZZLES)) ?? none, { streak, best, solved } = kept;
    const fine = [streak, best].every(Number.isInteger) && Object.values(solved).every(one => Array.isArray(one) && one.every(Number.isInteger));
    return fine ? { streak, best, solved } : none;
  } catch { return none; }
}
export function keepPuzzles(kept) {
  try { localStorage.setItem(PUZZLES, JSON.stringify(kept)); } catch { /* A page in a frame may have no local storage. */ }
}
