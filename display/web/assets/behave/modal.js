// The dialog element follows the state; if the user closes it, the state follows. The pointer
// of the tour stands beside what it is about, wherever that is.

import { close, dealDigit, fill, point } from "../actions.js";
import { dealForm, state } from "../store.js";

const box = document.getElementById("dialog"), pointer = document.getElementById("tour");

let shown = null; // the open dialog: some change while they are open
let round = "";   // the one that the digits beside the score sheet were opened for

export function follow({ dialog, tour, rounds, live }) {
  if (tour) stand(tour);
  const v = live?.view, on = rounds && v?.sheet && !v.winners.length;
  const now = on ? `${v.match} ${v.round} ${v.turn}` : "", begins = now !== round;
  round = now;
  if (now && begins && !dialog) return fill(v.turn);
  if (!now && dialog?.beside && dialog.name === "number") return close();
  if (dialog?.name === "deal" && !dealForm(v)) return close();
  if (dialog?.id === shown) return;
  shown = dialog?.id;
  if (!dialog) return box.close();
  const beside = Boolean(dialog.beside) && innerHeight > 500;
  if (box.open && box.classList.contains("beside") !== beside) box.close();
  box.className = (beside ? "beside is-" : "is-") + dialog.name;
  if (!box.open && beside) box.show();
  else if (!box.open) box.showModal();
  const field = box.querySelector("[autofocus]");
  field?.focus();
  field?.select?.();
}

function stand(n) {
  const spot = pointer.querySelector("[data-spot]")?.dataset.spot, on = spot && document.getElementById(spot);
  if (!on) return;
  if (!on.offsetHeight) return point({ to: spot === "hand" ? 0 : n + 1 });
  const { left, top, right, bottom } = on.getBoundingClientRect(), end = Math.min(bottom, innerHeight);
  const sides = { left, top, right: innerWidth - right, bottom: innerHeight - end };
  for (const side in sides) pointer.style.setProperty("--" + side, Math.max(0, Math.round(sides[side])) + "px");
  pointer.toggleAttribute("data-above", top + end > innerHeight); // there is more room above it
}

// listen handles the Escape key and a phone's back gesture. A late event must
// not close another dialog, be it drawn already or not.
export function listen() {
  box.addEventListener("close", () => { if (!box.open && state.dialog?.id === shown) close(); });
  addEventListener("resize", () => state.tour && stand(state.tour));
  document.addEventListener("keydown", e => {
    if (e.key === "Escape" && state.tour) point({ to: 0 });
    if (e.key === "Escape" && state.dialog?.beside) close();
    const digit = /^[0-9]$/.test(e.key) ? e.key : e.key === "Backspace" && "⌫";
    if (state.dialog?.name === "deal" && digit && !e.target.matches("input")) dealDigit({ digit });
  });
}
