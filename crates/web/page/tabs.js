// The tabs beside the board: moves, analysis, set up, share.
const tabs = [...document.querySelectorAll("#tabs [role=tab]")];

// Functions to call when a tab is opened, by its name.
const listeners = {};
export const whenOpened = (name, opened) => { listeners[name] = opened; };

export function openTab(name) {
  listeners[name]?.();
  for (const tab of tabs) {
    const open = tab.id === `tab-${name}`;
    tab.setAttribute("aria-selected", open);
    tab.tabIndex = open ? 0 : -1;
    byId(tab.getAttribute("aria-controls")).hidden = !open;
  }
}
for (const [at, tab] of tabs.entries()) {
  tab.onclick = () => openTab(tab.id.slice(4));
  tab.onkeydown = event => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const next = tabs[(at + step + tabs.length) % tabs.length];
    openTab(next.id.slice(4));
    next.focus();
  };
}
