"use strict";
// Says why the page cannot start if a script is blocked, missing or damaged. It uses no other script, and no syntax that an old browser lacks.
// If this script itself is blocked, page.css shows the element's own text after ten seconds.
function started() { document.getElementById("trouble").hidden = true; }
function trouble(words) {
  const place = document.getElementById("trouble");
  place.className = "";
  place.textContent = words;
  place.hidden = false;
}
// The first error counts: later ones follow from it. A script that cannot be loaded tells its element alone, before the event reaches the window.
addEventListener("error", ({ target, message, filename }) => {
  const place = document.getElementById("trouble");
  if (performance.getEntriesByName("ready").length || (!place.className && !place.hidden)) return;
  const file = (target.src || target.href || filename || "").split("/").pop();
  if (target === window) trouble(`This page cannot start: ${message} (${file}). Reload it.`);
  else if (file) trouble(`This page cannot start: ${file}, or a script that it needs, cannot be loaded. Reload the page. If that does not help, the server lacks the file, or the browser blocks it.`);
}, true);
