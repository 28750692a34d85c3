// Pointing at cards: the mouse or the keyboard focus shows one at full size, a long press, the
// right button or the menu key opens it. A long press on a refusal does it anyway.

import { card, look, narrow, press } from "../actions.js";
import { state } from "../store.js";

const HOVER = 150, LONG = 600; // milliseconds
const NEAR = 8;                // pixels that a finger moves while it presses long

const zoom = document.getElementById("zoom"), phone = matchMedia("(max-width: 600px)");

let timer = 0;           // of the hovering or the long press
let on = null;           // the card that is shown or will be
let longPressed = false; // whether the current touch was a long press
let from = null;         // where what may become a long press began

// endedLongPress reports, once, whether the last touch was a long press.
export function endedLongPress() {
  const was = longPressed;
  longPressed = false;
  return was;
}

const cardAt = e => e.target.closest?.("[data-card]");

function show(card, after) {
  if (card === on) return;
  leave();
  if (!card || card.closest("dialog")) return;
  on = card;
  timer = setTimeout(() => look({ place: on.dataset.place, card: on.dataset.card, why: on.dataset.why }), after);
}

function leave() {
  clearTimeout(timer);
  on?.removeAttribute("aria-describedby");
  on = null;
  if (state.zoom) look(null);
}

function open(on) {
  longPressed = true;
  leave();
  if (on.matches("[data-card]")) card(on.dataset);
  else press({ seat: on.dataset.insist.split(" ")[0], press: "yes" });
}

// follow puts the card at full size beside its place, below the track.
export function follow({ zoom: shown, dialog }) {
  if (on && (!on.isConnected || dialog)) leave();
  zoom.hidden = !shown || !on || !zoom.children.length;
  if (zoom.hidden) return;
  on.setAttribute("aria-describedby", "zoom");
  const at = on.getBoundingClientRect(), { offsetWidth: width, offsetHeight: height } = zoom;
  const top = document.getElementById("arena").getBoundingClientRect().top, inHand = on.closest("#hand");
  const beside = at.right + 8 + width < innerWidth ? at.right + 8 : at.left - 8 - width;
  const x = inHand ? at.left + (at.width - width) / 2 : beside, y = inHand ? at.top - height - 10 : at.top;
  zoom.style.left = Math.max(8, Math.min(x, innerWidth - width - 8)) + "px";
  zoom.style.top = Math.max(top, Math.min(y, innerHeight - height - 8)) + "px";
}

export function listen() {
  narrow(phone.matches);
  phone.addEventListener("change", () => narrow(phone.matches));
  document.addEventListener("pointerover", e => { if (e.pointerType === "mouse") show(cardAt(e), HOVER); });
  document.addEventListener("focusin", e => show(e.target.matches(":focus-visible") && cardAt(e), 0));
  document.addEventListener("focusout", leave);
  document.addEventListener("keydown", e => { if (e.key === "Escape") leave(); });
  document.addEventListener("contextmenu", e => {
    const card = cardAt(e);
    if (!card) return;
    e.preventDefault();
    clearTimeout(timer);
    if (!longPressed) open(card);
    longPressed = e.pointerType === "touch";
  });
  document.addEventListener("pointerdown", e => {
    const no = e.target.closest("[data-insist]"), held = no ?? (e.pointerType === "touch" && cardAt(e));
    longPressed = false;
    leave();
    if (held) timer = setTimeout(open, LONG, held);
    from = held && e;
  });
  document.addEventListener("pointermove", e => { // who drags a card does not press it
    if (!from || Math.hypot(e.clientX - from.clientX, e.clientY - from.clientY) < NEAR) return;
    from = null;
    clearTimeout(timer);
  });
  for (const end of ["pointerup", "pointercancel", "dragstart"]) {
    document.addEventListener(end, () => {
      from = null;
      if (!on) clearTimeout(timer);
    });
  }
}
