// The texts of cards. A card that answers the prompt shows its text on hover and
// on keyboard focus, and opens it on a long press, the right button or the menu
// key. Any other card opens it on a click.

import { card as show } from "../actions.js";

const tip = document.getElementById("tip");

let pressed = 0;         // the timer of a long press
let longPressed = false; // whether the current touch has opened a text
let dismissed = null;    // the focused card whose text the user has hidden with Escape

// endedLongPress reports, once, whether the last touch has opened a text.
export function endedLongPress() {
  const was = longPressed;
  longPressed = false;
  return was;
}

// hint shows the text of the focused card. Screen readers read it as the card's
// title.
export function hint() {
  const on = document.activeElement;
  if (on !== dismissed) dismissed = null;
  const does = !dismissed && on?.matches(".plate[title]:focus-visible") ? on.title : "";
  if (tip.hidden === !!does) tip.hidden = !does;
  if (!does) return;
  if (tip.textContent !== does) tip.textContent = does;
  const box = on.getBoundingClientRect(), below = box.bottom + 8, above = box.top - tip.offsetHeight - 8;
  tip.style.left = Math.max(8, Math.min(box.left, innerWidth - tip.offsetWidth - 8)) + "px";
  tip.style.top = (below + tip.offsetHeight < innerHeight - 8 ? below : Math.max(8, above)) + "px";
}

const cardAt = e => e.target.closest(".plate:is([data-cards], [data-ids])");

function openText(card) {
  clearTimeout(pressed);
  show(card.dataset);
}

export function listen() {
  for (const by of ["focusin", "focusout", "scroll"]) {
    document.addEventListener(by, hint, { capture: true, passive: true });
  }
  document.addEventListener("keydown", e => {
    if (e.key !== "Escape" || tip.hidden) return;
    dismissed = document.activeElement;
    hint();
  });
  document.addEventListener("contextmenu", e => {
    const card = cardAt(e);
    if (!card) return;
    e.preventDefault();
    openText(card);
  });
  document.addEventListener("pointerdown", e => { // not every phone has a menu for a long press
    const card = cardAt(e);
    longPressed = false;
    if (card && e.pointerType === "touch") pressed = setTimeout(() => { longPressed = true; openText(card); }, 600);
  });
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => clearTimeout(pressed));
}
