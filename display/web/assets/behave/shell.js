import { choose } from "../actions/shell.js";

// A browser puts the scroll position back before the page has drawn what it fetches. So it waits for the
// height, unless somebody moves meanwhile.
let due = history.state?.y ?? 0;
if ("onscrollend" in window) history.scrollRestoration = "manual"; // a page that is left can no longer keep anything
addEventListener("scrollend", () => history.replaceState({ ...history.state, y: scrollY }, ""));
for (const moved of ["wheel", "touchstart", "pointerdown", "keydown"]) {
  addEventListener(moved, () => { due = 0; }, { passive: true });
}

let done = null; // the last focus that the state requested

// follow gives the focus to what asked for it, after a drawing, and puts the scroll position back.
export function follow({ focus }) {
  if (focus && focus !== done) (document.querySelector(focus.on) ?? document.querySelector(".said"))?.focus();
  done = focus;
  if (!due) return;
  scrollTo(0, due);
  if (scrollY >= due - 1) due = 0;
}

document.addEventListener("click", ({ target }) => {
  const on = target.closest("[data-act=shell]");
  if (on) choose(on.dataset);
});
