// The dialog element follows the state, which follows whoever closes it.

import { close } from "../actions.js";
import { state } from "../store.js";

const box = document.getElementById("dialog");

let shown = null; // what the dialog shows

// follow opens and closes the dialog, after a drawing.
export function follow({ dialog }) {
  if (dialog === shown) return;
  shown = dialog;
  if (!dialog) return box.close();
  box.className = "is-" + dialog.name;
  if (!box.open) box.showModal();
  box.querySelector("[autofocus]")?.select?.();
}

// listen notices the Escape key and a phone's way back. An event that comes
// late closes no other dialog.
export function listen() {
  box.addEventListener("close", () => { if (state.dialog === shown) close(); });
}
