// A button, and messages, of the page for the owner's cards.

import { h } from "../dom.js";
import { say } from "../words.js";

// submit makes one, which calls an action: see behave/workshop.js.
export const submit = (act, attributes, ...children) =>
  h("button", { type: "submit", "data-act": act, ...attributes }, ...children);

const said = {
  saved: w => "✓ " + say("cards.saved", { card: w.lastSaved }),
  names: w => "✓ " + say("cards.names-saved", { n: w.saved }),
  changed: w => say("cards.changed", { card: w.lastSaved }),
  undone: () => say("cards.undone"),
  restored: () => say("cards.restored"),
  nothing: () => say("cards.nothing"),
};

// saidOf returns what became of the last change.
export const saidOf = w => said[w.said]?.(w) ?? w.said;
