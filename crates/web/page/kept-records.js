// The records that this browser keeps: each under its own name, the digest of its text, so that no tab replaces another tab's. A text never
// changes: the comments are kept one by one beside it, and stay where the text has to go.
const TEXTS = "texts", ABOUT = "about", COMMENTS = "comments";
// The cache in which earlier versions of this page kept one record for all tabs.
const OLD = "menagerie-record";

let database = null;
function open() {
  const opens = new Promise((done, fail) => {
    const request = indexedDB.open("menagerie", 1);
    request.onupgradeneeded = () => [TEXTS, ABOUT, COMMENTS].forEach(name => request.result.createObjectStore(name));
    request.onerror = () => fail(request.error);
    request.onsuccess = () => {
      // The browser closes the database where its visitor clears it.
      request.result.onclose = () => { database = null; };
      done(request.result);
    };
  });
  return opens.then(async db => { await takeOver(db).catch(() => {}); return db; });
}
// Has `work` make requests of these stores in one transaction, and resolves to their results.
const transact = async (names, work, mode = "readwrite") => within(await (database ??= open().catch(error => { database = null; throw error; })), names, work, mode);
const read = (name, work) => transact([name], work, "readonly");
const within = (db, names, work, mode) => new Promise((done, fail) => {
  const all = db.transaction(names, mode), requests = work(...names.map(name => all.objectStore(name)));
  all.oncomplete = () => done(requests.map(({ result }) => result));
  all.onabort = () => fail(all.error);
});

async function takeOver(db) {
  const text = await (await globalThis.caches?.match("record.jsonl", { cacheName: OLD }))?.text();
  if (!text) return;
  const name = await nameOf(text);
  await putText(name, text);
  await within(db, [ABOUT], about => [about.put({ title: "a record of an earlier visit", used: 0, game: 0, ply: 0, isOld: true }, name)], "readwrite");
  await caches.delete(OLD);
}

// The name of a record: the SHA-256 of its text, or, where an address without https has none, four multiplicative hashes of 32 bits.
export async function nameOf(text) {
  const hex = number => number.toString(16).padStart(8, "0");
  if (crypto.subtle) return [...new Uint32Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)))].map(hex).join("");
  return [1, 2].map(seed => {
    let a = seed ^ 0xdeadbeef, b = seed ^ 0x41c6ce57;
    for (let at = 0; at < text.length; at++) {
      a = Math.imul(a ^ text.charCodeAt(at), 0x9e3779b1);
      b = Math.imul(b ^ text.charCodeAt(at), 0x5f356495);
    }
    a = Math.imul(a ^ a >>> 16, 0x85ebca6b) ^ Math.imul(b ^ b >>> 13, 0xc2b2ae35);
    b = Math.imul(b ^ b >>> 16, 0x85ebca6b) ^ Math.imul(a ^ a >>> 13, 0xc2b2ae35);
    return hex(a >>> 0) + hex(b >>> 0);
  }).join("");
}

// What other tabs show is never dropped: a tab holds a lock on each record that it has shown.
const lockOf = name => `menagerie record ${name}`, held = new Set();
function hold(name) {
  if (held.has(name) || !navigator.locks) return null;
  held.add(name);
  return new Promise(done => navigator.locks.request(lockOf(name), { mode: "shared" }, () => { done(); return new Promise(() => {}); }).catch(done));
}
// The record that no tab shows and that was used longest ago, if there is one. Without locks nobody knows what other tabs show.
async function leastUsed(name) {
  if (!navigator.locks) return undefined;
  const shown = (await navigator.locks.query()).held.map(one => one.name);
  return (await allRecords()).findLast(one => one.name !== name && !shown.includes(lockOf(one.name)));
}

// The texts: in a cache, which gives the space of a dropped text free at once. An address without https has none: there the database has the texts.
const CACHE = "menagerie-records", keyOf = name => `/${name}.jsonl`;
async function hasText(name) {
  if (globalThis.caches) return Boolean(await caches.match(keyOf(name), { cacheName: CACHE }));
  return (await read(TEXTS, texts => [texts.getKey(name)]))[0] !== undefined;
}
async function putText(name, text) {
  if (globalThis.caches) await (await caches.open(CACHE)).put(keyOf(name), new Response(text));
  else await transact([TEXTS], texts => [texts.put(text, name)]);
}
// Puts a record where records are kept, if it is not there already; false where there is no space.
async function put(name, text, place) {
  try {
    if (!await hasText(name)) await putText(name, text);
    await transact([ABOUT], about => [about.put({ ...place, used: Date.now() }, name)]);
    return true;
  } catch (error) {
    if (error?.name === "QuotaExceededError") return false;
    throw error;
  }
}
// Keeps a record with its place, `{ title, game, ply }`.
// `tell` is called with the title of each record that has to go where space ends. Resolves to whether the record is kept.
export async function keepRecord(name, text, place, tell) {
  await hold(name);
  try {
    let isKept = await put(name, text, place);
    for (let old; !isKept && (old = await leastUsed(name));) {
      await transact([ABOUT], about => [about.delete(old.name)]);
      await (await caches.open(CACHE)).delete(keyOf(old.name));
      tell(old.title);
      isKept = await put(name, text, place);
    }
    return isKept;
  } catch { return false; }
}

// The text of a record, or null.
export async function keptRecord(name) {
  await hold(name);
  try {
    if (globalThis.caches) return await (await caches.match(keyOf(name), { cacheName: CACHE }))?.text() ?? null;
    return (await read(TEXTS, texts => [texts.get(name)]))[0] ?? null;
  } catch { return null; }
}
// The records that are kept, `{ name, title, game, ply, isOld }`, the one used last first.
export async function allRecords() {
  try {
    const [names, all] = await read(ABOUT, about => [about.getAllKeys(), about.getAll()]);
    return all.map((one, at) => ({ ...one, name: names[at] })).sort((a, b) => b.used - a.used);
  } catch { return []; }
}
// Keeps the place in a record.
export const keepPlace = (name, place) => transact([ABOUT], about => {
  const there = about.get(name);
  there.onsuccess = () => { if (there.result) about.put({ ...there.result, ...place, used: Date.now() }, name); };
  return [there];
}).catch(() => {});

// The comments on a record, as pairs of a line and its comment.
export async function keptComments(name) {
  const range = IDBKeyRange.bound([name], [name, []]);
  try {
    const [keys, notes] = await read(COMMENTS, comments => [comments.getAllKeys(range), comments.getAll(range)]);
    return keys.map(([, line], at) => [line, notes[at]]);
  } catch { return []; }
}
// Keeps a comment, and resolves to it. `known` is the comment that this tab has shown before: where another tab has written another one meanwhile, both are kept.
export async function keepComment(name, line, note, known) {
  let kept = note;
  await transact([COMMENTS], comments => {
    const there = comments.get([name, line]);
    there.onsuccess = () => {
      const other = there.result ?? known;
      if (other !== known && other !== note) kept = [other, note].filter(Boolean).join("; ");
      comments.put(kept, [name, line]);
    };
    return [there];
  });
  return kept;
}
