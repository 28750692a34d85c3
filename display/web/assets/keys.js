// The keyboard: the keys of the table, and the numbers of the answers.

import { store } from "./core.js";
import { acting } from "./tray.js";
import { app, press } from "./table.js";
import { open } from "./dialogs.js";

export const shortcuts = { on: store.get("shortcuts") !== "off" };

// What is pressed, and the key of the table it stands for.
export const strokes = [
  ["Y", "yes"], ["N", "no"], ["←", "left"], ["→", "right"], ["+", "plus"], ["−", "minus"], [".", "next"], ["R", "roll"], ["U", "undo"], ["⇧U", "redo"],
];

const codes = { y: "yes", o: "yes", n: "no", ArrowLeft: "left", ArrowRight: "right", "+": "plus", "=": "plus", "-": "minus", "−": "minus", ".": "next", r: "roll", u: "undo" };

export function listen() {
  document.addEventListener("keydown", e => {
    // A key that is held answers once: the focus passes on to the next answer.
    if (e.repeat && (e.key === "Enter" || e.key === " ") && e.target.closest("main button, #tray button")) e.preventDefault();
    if (e.defaultPrevented || e.altKey || !app.live || document.querySelector("dialog[open]")) return;
    if (e.target.closest("input, select, textarea, [role=tablist]")) return;
    const undoing = (e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "z";
    if ((e.ctrlKey || e.metaKey) && !undoing) return;
    if (e.key === "?") { open("help"); e.preventDefault(); return; }
    if (!shortcuts.on || !app.live.writes) return;
    if (/^[1-9]$/.test(e.key)) {
      const button = document.querySelector(`#ask [data-number="${e.key}"]`);
      if (button) { button.click(); e.preventDefault(); }
      return;
    }
    if (app.live.view.match === null && !app.live.status.continue) return;
    let key = undoing ? "undo" : codes[e.key] ?? codes[e.key.toLowerCase()];
    if (key === "undo" && e.shiftKey) key = "redo";
    if (!key) return;
    // Arrows that move through a list stay with the list.
    if ((key === "left" || key === "right") && e.target.closest(".hand, .history")) return;
    e.preventDefault();
    press(acting(), key);
  });
}
