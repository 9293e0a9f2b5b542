// Makes pages nicer; all of them work without it.
"use strict";

// A program can be dropped on the form.
const form = document.querySelector("form[data-drop]");
if (form) {
  const input = form.querySelector("input[type=file]");
  // A browser shows no answer while it still sends: what is too large is told before.
  input.addEventListener("change", () => {
    const isLarge = [...input.files].some((file) => file.size > Number(form.dataset.most) << 20);
    input.setCustomValidity(isLarge ? `The file is larger than ${form.dataset.most} MiB.` : "");
  });
  for (const name of ["dragenter", "dragover"]) {
    form.addEventListener(name, (event) => {
      event.preventDefault();
      form.classList.add("over");
    });
  }
  for (const name of ["dragleave", "drop"]) form.addEventListener(name, () => form.classList.remove("over"));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.files.length === 1) {
      input.files = event.dataTransfer.files;
      input.dispatchEvent(new Event("change"));
      form.requestSubmit();
    }
  });
}

// Boards of games that are being played, and pages that wait for something, come anew: from this page, or as `data-part` of the page
// `data-from`. Hidden pages wait. A page whose session is
// over says so, and asks no more.
const fresh = document.querySelector("[data-fresh]");
if (fresh) {
  // A board of a game that has just ended is there no more.
  fresh.addEventListener("error", ({ target }) => target.closest("figure")?.remove(), true);
  let pause = Number(fresh.dataset.fresh);
  const { from = location.href, part = "[data-fresh]" } = fresh.dataset;
  const ended = (text) => {
    const note = document.createElement("p");
    note.className = "notice";
    note.setAttribute("role", "alert");
    note.textContent = text;
    fresh.before(note);
  };
  const again = async () => {
    if (!document.hidden) {
      const response = await fetch(from).catch(() => null);
      if (response && response.ok) {
        const page = new DOMParser().parseFromString(await response.text(), "text/html");
        const next = page.querySelector(part);
        if (!next) return location.reload();
        if (fresh.innerHTML !== next.innerHTML) fresh.replaceChildren(...next.childNodes);
        // A report grows at its end.
        for (const text of fresh.querySelectorAll("pre")) text.scrollTop = text.scrollHeight;
        pause = Number(fresh.dataset.fresh);
      } else if (response && [401, 403, 429].includes(response.status)) {
        return ended("Your session is over. Sign in again; this page does not change any more.");
      } else {
        // The server is down or has much to do.
        pause = Math.min(2 * pause, 60000);
      }
    }
    setTimeout(again, pause);
  };
  setTimeout(again, pause);
}
