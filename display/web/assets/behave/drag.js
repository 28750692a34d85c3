// Dragging cards onto a reader.

import { tap } from "../actions.js";

let drag = null;  // the card being dragged
let dropped = 0;  // time of the last drop

// justDropped reports whether a card was dropped just now; the click that
// follows must be ignored.
export const justDropped = () => Date.now() - dropped < 60;

export function listen() {
  document.addEventListener("pointerdown", e => {
    const card = e.target.closest("[data-drag]");
    if (!card || e.button !== 0) return;
    drag = { card, x: e.clientX, y: e.clientY, id: e.pointerId, ghost: null };
  });
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", drop);
  document.addEventListener("pointercancel", () => {
    drag?.ghost?.remove();
    drag = null;
    light(null);
  });
  document.addEventListener("dragstart", e => { if (e.target.closest?.("[data-drag]")) e.preventDefault(); });
}

function move(e) {
  if (!drag || e.pointerId !== drag.id) return;
  if (!drag.ghost) {
    if (Math.hypot(e.clientX - drag.x, e.clientY - drag.y) < 8) return;
    raise();
  }
  drag.ghost.style.transform = `translate(${e.clientX - drag.dx}px, ${e.clientY - drag.dy}px) rotate(-4deg)`;
  light(readerAt(e));
}

// raise makes the ghost, a copy of the card that follows the pointer.
function raise() {
  const box = drag.card.getBoundingClientRect(), ghost = drag.card.cloneNode(true);
  ghost.classList.add("ghost-card");
  ghost.removeAttribute("data-k");
  ghost.style.width = box.width + "px";
  ghost.style.height = box.height + "px";
  Object.assign(drag, { ghost, dx: drag.x - box.left, dy: drag.y - box.top });
  document.body.append(ghost);
}

function drop(e) {
  if (!drag || e.pointerId !== drag.id) return;
  const { ghost, card } = drag, on = ghost && readerAt(e);
  drag = null;
  if (!ghost) return;
  ghost.remove();
  light(null);
  dropped = Date.now();
  if (on) tap({ seat: on.dataset.reader, tap: card.dataset.tap ?? card.dataset.card });
}

const readerAt = e => document.elementsFromPoint(e.clientX, e.clientY)
  .find(x => x.matches("[data-reader], [data-reader] *"))?.closest("[data-reader]");

// light highlights the reader under the card.
function light(reader) {
  for (const r of document.querySelectorAll("[data-reader]")) r.toggleAttribute("data-live-over", r === reader);
}
