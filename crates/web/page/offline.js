// A service worker that caches the page's files, so that the page works offline after the first visit. scripts/site inserts the list
// of files and its digest. A new digest makes a new cache, which is used once no page with the old one is open.
const DIGEST = "DIGEST", FILES = [/* FILES */];
const CACHE = `menagerie ${new URL("./", location).pathname} ${DIGEST}`;
const ours = name => name.startsWith(`menagerie ${new URL("./", location).pathname} `);

addEventListener("install", event => event.waitUntil(caches.open(CACHE).then(cache => cache.addAll(FILES.map(file => new Request(file, { cache: "reload" }))))));
addEventListener("activate", event => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (ours(name) && name !== CACHE) await caches.delete(name);
  await clients.claim();
})()));
addEventListener("fetch", event => {
  const { method, url } = event.request;
  // The programs of `judge play --engine` are others at its next start.
  if (method !== "GET" || !url.startsWith(new URL("./", location).href) || url.endsWith("/engines.json")) return;
  event.respondWith((async () => {
    const cache = await caches.open(CACHE), path = new URL(url);
    // The query, which selects a game, does not change the file.
    if (path.pathname.endsWith("/")) path.pathname += "index.html";
    return await cache.match(path.href, { ignoreSearch: true }) ?? fetch(event.request);
  })());
});
