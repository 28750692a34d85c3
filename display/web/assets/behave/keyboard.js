// The keyboard: the table's keys, the numbers of the answers, and arrows in tabs
// and lists.

import { drawer, open, press, shut } from "../actions.js";
import { codes, presses } from "../keys.js";
import { acting, isComputer, question, state } from "../store.js";

// Whether Enter was pressed in the search: the focus moves when the key is released, or the key
// would press what gets the focus.
let entered = false;

export function listen() {
  document.addEventListener("keydown", e => {
    const on = e.target, list = document.querySelector("#dialog .box");
    // A held key answers only once, because the focus moves to the next answer.
    if (e.repeat && (e.key === "Enter" || e.key === " ") && !on.closest("dialog")) e.preventDefault();
    if (list && on.matches("[data-sought], .copies button")) moveCopy(e, list);
    else if (!e.defaultPrevented && !e.altKey && state.live && !document.querySelector("dialog[open]")) pressKey(e);
  });
  document.addEventListener("keyup", e => {
    const found = () => document.querySelector("#dialog .copies button")?.focus();
    if (entered && e.key === "Enter") requestAnimationFrame(found); // once what was typed last is drawn
    entered = false;
  });
}

function moveCopy(e, list) {
  const all = [...list.querySelectorAll(".copies button")], at = all.indexOf(e.target), row = e.target.closest("li");
  if (!row) entered = e.key === "Enter";
  const to = row ? {
    ArrowLeft: all[at - 1], ArrowRight: all[at + 1],
    ArrowDown: row.nextElementSibling?.querySelector("button"),
    ArrowUp: row.previousElementSibling?.querySelector("button") ?? document.querySelector("[data-sought]"),
  }[e.key] : e.key === "ArrowDown" && all[0];
  if (!to) return;
  e.preventDefault();
  to.focus();
}

function pressKey(e) {
  if (e.target.closest("input, select, textarea")) return;
  const control = e.ctrlKey || e.metaKey, undoing = control && e.key.toLowerCase() === "z";
  if (control && !undoing) return;
  if (e.key === "Escape") {
    if (state.drawer) drawer();
    return shut();
  }
  if (e.key === "?") {
    open({ open: "help" });
    e.preventDefault();
    return;
  }
  if (!state.settings.shortcuts || !state.live.writes) return;
  if (/^[0-9]$/.test(e.key)) {
    const button = document.querySelector(`:is(#first, #ask, #sheet, #end) [data-number="${e.key}"]`);
    button?.click();
    if (button) e.preventDefault();
    return;
  }
  if (state.live.view.match === null && !state.live.status.continue) return;
  const sought = presses[e.key.toLowerCase()], pressed = sought && document.querySelector("#ask " + sought);
  if (pressed) {
    e.preventDefault();
    return pressed.click();
  }
  let key = undoing ? "undo" : codes[e.key] ?? codes[e.key.toLowerCase()];
  if (key === "undo" && e.shiftKey) key = "redo";
  if (!key || isComputer(question()?.seat) && !/do$/.test(key)) return;
  e.preventDefault();
  press({ seat: acting(), press: key });
}
