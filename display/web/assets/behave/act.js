// Clicks, forms and fields call the action named in their data-act, with their
// other data attributes as arguments. A field adds its value, a form its fields. The mouse or the
// keyboard focus shows a card at full size, a long press, the right button or the menu key opens
// it, and it can be dragged onto a reader. A long press on a refusal does it anyway, on an answer what
// the answer has for that.

import * as actions from "../actions.js";
import { state } from "../store.js";

const HOVER = 150, LONG = 600; // milliseconds
const NEAR = 8;                // pixels that a finger moves while it presses long

const zoom = document.getElementById("zoom"), phone = matchMedia("(max-width: 600px)");

let timer = 0;    // of the hovering or the long press
let on = null;    // the card that is shown or will be
let held = null;  // what is pressed or dragged: { x, y, card, ghost }
let done = false; // whether the press was a long one, or a drop: then the click after it is none

const act = (on, more) => actions[on.dataset.act]({ ...on.dataset, ...more });

const cardAt = e => e.target.closest?.("[data-card]");

export function listen() {
  actions.narrow(phone.matches);
  phone.addEventListener("change", () => actions.narrow(phone.matches));
  document.addEventListener("click", e => {
    const none = done && e.detail > 0; // 0 with a key
    done = false;
    if (!none) click(e.target);
  });
  document.addEventListener("submit", e => {
    if (!e.target.matches("[data-act]")) return;
    e.preventDefault();
    act(e.target, Object.fromEntries(new FormData(e.target)));
  });
  document.addEventListener("input", e => {
    if (e.target.matches("input[data-act]:not([type=checkbox]), textarea[data-act]")) field(e.target);
  });
  document.addEventListener("change", e => {
    if (e.target.matches("select[data-act], [type=checkbox][data-act]")) field(e.target);
  });
  document.addEventListener("focusin", e => show(e.target.matches(":focus-visible") && cardAt(e), 0));
  document.addEventListener("focusout", leave);
  document.addEventListener("keydown", e => { if (e.key === "Escape") leave(); });
  document.addEventListener("contextmenu", e => {
    const card = cardAt(e);
    if (!card) return;
    e.preventDefault();
    clearTimeout(timer);
    if (!done) open(card);
    done = e.pointerType === "touch";
  });
  document.addEventListener("pointerdown", e => {
    const long = e.target.closest("[data-insist], [data-long]") ?? (e.pointerType === "touch" && cardAt(e));
    release();
    done = false;
    leave();
    if (long) timer = setTimeout(open, LONG, long);
    held = { x: e.clientX, y: e.clientY, id: e.pointerId, card: e.button === 0 && e.target.closest("[data-drag]") };
  });
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", e => e.pointerId === held?.id && release(held.ghost && readerAt(e)));
  document.addEventListener("pointercancel", () => release());
  document.addEventListener("dragstart", e => { if (e.target.closest?.("[data-drag]")) e.preventDefault(); });
}

function click(on) {
  const button = on.closest("button[data-act]");
  if (state.sheet && !on.closest("#sheet, dialog, [aria-controls=sheet]")) actions.sheet({ sheet: "" });
  if (on.matches("dialog")) actions.close(); // a click on the backdrop
  else if (button && !button.disabled) act(button);
}

// field hands over what a field holds. The same file may be chosen again.
function field(on) {
  const { dataset, value, checked, files } = on;
  act({ dataset }, { value, checked, file: files?.[0] });
  if (files) on.value = "";
}

function show(card, after) {
  if (card === on) return;
  leave();
  if (!card || card.closest("dialog")) return;
  on = card;
  const { place, card: id, why } = card.dataset;
  timer = setTimeout(() => actions.look({ place, card: id, why }), after);
}

function leave() {
  clearTimeout(timer);
  on?.removeAttribute("aria-describedby");
  on = null;
  if (state.zoom) actions.look(null);
}

function open(on) {
  done = true;
  leave();
  if (on.matches("[data-card]")) actions.card(on.dataset);
  else if (on.dataset.long) actions.input({ input: on.dataset.long });
  else actions.press({ seat: on.dataset.insist.split(" ")[0], press: "yes" });
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

// move drags a card: a copy of it follows the pointer. Who drags a card does not press it. Only a
// mouse that moves shows one, not a card that comes to lie under it when the table changes.
function move(e) {
  if (e.pointerType === "mouse" && !e.buttons) return show(cardAt(e), HOVER);
  if (e.pointerId !== held?.id) return;
  const { x, y, card } = held;
  if (!held.ghost && Math.hypot(e.clientX - x, e.clientY - y) < NEAR) return;
  if (!on) clearTimeout(timer);
  if (!card) return;
  held.ghost ??= ghostOf(card);
  const { left, top } = held.ghost.from;
  held.ghost.style.transform = `translate(${left + e.clientX - x}px, ${top + e.clientY - y}px) rotate(-4deg)`;
  light(readerAt(e));
}

function ghostOf(card) {
  const from = card.getBoundingClientRect(), ghost = card.cloneNode(true), { width, height } = from;
  ghost.classList.add("ghost-card");
  ghost.removeAttribute("data-k");
  Object.assign(ghost.style, { width: width + "px", height: height + "px" });
  document.body.append(ghost);
  return Object.assign(ghost, { from });
}

// release ends a press, and lays what was dragged onto a reader.
function release(reader) {
  const { ghost, card } = held ?? {};
  held = null;
  if (!on) clearTimeout(timer);
  if (!ghost) return;
  done = true;
  ghost.remove();
  light(null);
  if (reader) actions.tap({ seat: reader.dataset.reader, tap: card.dataset.tap ?? card.dataset.card });
}

const readerAt = e => document.elementsFromPoint(e.clientX, e.clientY)
  .find(x => x.matches("[data-reader], [data-reader] *"))?.closest("[data-reader]");

function light(reader) {
  for (const r of document.querySelectorAll("[data-reader]")) r.toggleAttribute("data-live-over", r === reader);
}
