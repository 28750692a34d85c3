// The pointer of the tour stands beside what it is about, wherever that is. Nothing scrolls.

import { point } from "../actions.js";
import { state } from "../store.js";

// follow places the pointer after a drawing, or goes on if there is nothing to point at.
export function follow({ tour: n }) {
  const box = document.getElementById("tour"), spot = box.querySelector("[data-spot]");
  if (!spot) return;
  const on = document.getElementById(spot.dataset.spot);
  if (!on.offsetHeight) return point({ to: spot.dataset.spot === "hand" ? 0 : n + 1 });
  const { left, top, right, bottom } = on.getBoundingClientRect(), end = Math.min(bottom, innerHeight);
  const sides = { left: Math.max(0, left), top: Math.max(0, top), right: Math.max(0, innerWidth - right),
    bottom: Math.max(0, innerHeight - end) };
  for (const side in sides) box.style.setProperty("--" + side, Math.round(sides[side]) + "px");
  box.toggleAttribute("data-above", top + end > innerHeight); // there is more room above it
}

export function listen() {
  addEventListener("resize", () => follow(state));
  document.addEventListener("keydown", e => { if (e.key === "Escape" && state.tour) point({ to: 0 }); });
}
