// Where the keyboard is. A drawing takes no focus away, and one that answers a
// question passes it on.

import { glide } from "./sight.js";

// keep remembers what the keyboard is on, before a drawing. What it returns
// gives the focus back where that was moved, and passes it on where it has
// gone: to the next card that answers, else to the first answer. A card on the
// table that answers no more has only its text to open.
export function keep() {
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

const indexOf = e => [...e.parentNode.children].indexOf(e);

let given = null; // the last focus that the state asked for

// give gives the focus that the state asks for, once.
export function give({ focus }) {
  if (focus === given) return;
  given = focus;
  const on = document.querySelector(focus.on);
  on?.focus();
  if (focus.show) on?.scrollIntoView({ block: "nearest", inline: "center", behavior: glide() });
}
