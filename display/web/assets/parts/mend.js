// Corrections by pointing.

import { button, h } from "../dom.js";
import { seatName } from "../seats.js";
import { plays } from "../store.js";
import { label, say } from "../words.js";

// amount draws a number that a click corrects.
export const amount = (live, seat, what, n) => !plays(seat) || live.view.match === null ? n : button("number", {
  class: "amount", "data-seat": seat, "data-what": what, "data-value": n, "aria-haspopup": "dialog",
  "aria-label": `${label(live.view, "counter", what)}: ${n}`, title: say("mend.number"),
}, n);

// number draws the stepper.
export function number({ live: { view: v }, dialog: { seat, what, value, can } }) {
  const title = seatName(v, seat) + ": " + label(v, "counter", what);
  if (can === false) return [title, h("p", null, say("mend.follows"))];
  const by = (n, sign, text) => button("step", { class: "key", "data-by": n, "aria-label": text }, sign);
  return [title, h("form", { "data-act": "setNumber", method: "dialog", class: "stepper" },
    by(-1, "−", say("key.minus")),
    h("input", {
      type: "number", name: "value", value, "data-act": "typed", "data-planned": "", required: true, autofocus: true,
      autocomplete: "off", "aria-label": title,
    }),
    by(1, "+", say("key.plus")),
    h("button", { type: "submit", class: "answer" }, say("page.ok")))];
}

// moves draws the places where the card may go.
export function moves({ live: { view: v }, dialog }) {
  if (dialog.ids?.length !== 1 || !dialog.moves) return null;
  const own = dialog.ids[0], word = place => v.labels?.["zone." + place] ?? label(v, "counter", place);
  const text = m => [
    m.seat !== dialog.owner && seatName(v, m.seat), word(m.place), m.state && label(v, "state", m.state),
  ].filter(Boolean).join(" · ");
  return dialog.moves.length > 0 && h("section", { class: "moves", "data-k": "moves" + own },
    h("h3", null, say("mend.move")),
    h("div", { class: "list" }, dialog.moves.map(m =>
      button("input", { class: "plain", "data-k": m.line, "data-input": m.line }, text(m)))));
}

// heap draws the cards of a pile, each of which may be moved.
export const heap = ({ live, dialog }, named) => live.writes && dialog.ids?.length > 1 &&
  h("section", { class: "moves", "data-k": "heap" },
    h("h3", null, say("mend.which")),
    h("div", { class: "list" }, dialog.ids.map(id =>
      button("card", { class: "plain", "data-k": id, "data-ids": id, "data-cards": id.split(".")[0] }, named(id)))));

// back asks whether to take back all moves after a line of the log.
export function back({ live, dialog }) {
  const e = live.history.find(e => e.n === dialog.entry), n = e?.back ?? 0;
  return [say("mend.back"),
    h("p", null, (e?.lines ?? []).join(". ")),
    h("div", { class: "answers" },
      button("undoTo", { class: "answer danger", disabled: n === 0 }, say("mend.back-do", { n })),
      button("close", { class: "answer", "data-close": "", autofocus: true }, say("page.close")))];
}
