// The keyboard focus. A drawing does not lose the focus; when a prompt has been
// answered, the focus moves to the next answer.

import { scrollBehavior } from "./scroll.js";

// keepFocus records the focused element before a drawing, and returns a function
// that restores the focus after it. If the element is gone, or is a card on the
// table that no longer answers, the focus moves to the next card that answers,
// else to the first answer.
export function keepFocus() {
  const on = document.activeElement;
  if (!on?.matches("#ask *, #arena *, #tray *") || !on.matches(":focus-visible")) return () => {};
  const place = on.closest(".hand, .heaps") && indexOf(on), asked = on.matches(".plate.wanted");
  return () => {
    const gone = asked && !on.matches(".wanted"), focus = document.activeElement;
    if (focus !== document.body && focus !== null && !(gone && focus === on)) return;
    if (!gone && on.isConnected && on.matches("button:not(:disabled), input, [tabindex]")) return on.focus();
    const all = selector => [...document.querySelectorAll(selector)];
    const cards = [...all("#tray button.card.wanted"), ...all("#arena button.plate.wanted:not(:disabled)")];
    const next = cards.find(c => place !== null && indexOf(c) >= place);
    (next ?? cards[0] ?? document.querySelector("#ask button.answer:not(:disabled)"))?.focus();
  };
}

const answering = ["ask", "arena", "tray"].map(id => document.getElementById(id));

let before = null; // what had the focus when the table went away

// rest disables what answers while the table is away. The focus comes back with
// the table.
export function rest(lost) {
  if (lost === answering[0].inert) return;
  if (lost) before = document.activeElement;
  for (const e of answering) e.inert = lost;
  // While nothing in it takes the focus, the keyboard scrolls the table itself.
  const main = document.querySelector("main");
  if (lost) main.tabIndex = 0;
  else main.removeAttribute("tabindex");
  if (!lost && document.activeElement === document.body) before?.focus();
}

const indexOf = e => [...e.parentNode.children].indexOf(e);

let given = null; // the last focus that the state requested

// giveFocus sets the focus that the state requests, once.
export function giveFocus({ focus }) {
  if (focus === given) return;
  given = focus;
  const on = document.querySelector(focus.on);
  on?.focus();
  if (focus.show) on?.scrollIntoView({ block: "nearest", inline: "center", behavior: scrollBehavior() });
}
