// The dialog element follows the state; if the user closes it, the state
// follows.

import { close } from "../actions.js";
import { state } from "../store.js";

const box = document.getElementById("dialog");

let shown = null; // the state of the open dialog

// same reports whether two states are those of one dialog: some change while
// they are open.
const same = (a, b) => a === b || a?.id !== undefined && a?.id === b?.id;

// follow opens or closes the dialog after a drawing.
export function follow({ dialog }) {
  if (dialog === shown) return;
  const again = same(dialog, shown);
  shown = dialog;
  if (!dialog) return box.close();
  box.className = "is-" + dialog.name;
  if (!box.open) box.showModal();
  if (!again) box.querySelector("[autofocus]")?.select?.();
}

// listen handles the Escape key and a phone's back gesture. A late event must
// not close another dialog, be it drawn already or not.
export function listen() {
  box.addEventListener("close", () => { if (!box.open && same(state.dialog, shown)) close(); });
}
