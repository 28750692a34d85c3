// The prompt at the top of the page.

import { button, h } from "../dom.js";
import { palette, paletteOf, seated, seatName, shape, shapesOf } from "../seats.js";
import { textOf, unknownTag } from "../store.js";
import { say } from "../words.js";
import { answers } from "./answers.js";
import { form } from "./setup.js";
import { welcome } from "./welcome.js";

export function prompt(state) {
  const { live } = state, { view: v, status } = live;
  if (status.continue) return [continuing(live), receipt(live)];
  if (v.match === null) {
    // The receipt of an unknown tag comes above the form, which is long; others
    // come below, beside the button that begins the match.
    const both = [starting(state), receipt(live)];
    return status.receipt?.outcome === "unknown" ? both.reverse() : both;
  }
  if (v.winners.length) return [over(live), receipt(live)];
  if (!v.prompts.length) return [banner(v, null, say("page.wait")), receipt(live)];
  const [first] = v.prompts;
  return [banner(v, first.seat, first.text, about(first), answers(live, first, true)), receipt(live)];
}

// starting draws the prompt of an empty table.
function starting(state) {
  return h("div", { class: "starting", "data-k": "starting" },
    h("p", { class: "who" }, state.live.view.prompts[0]?.text || say("begin.welcome")),
    h("h2", { id: "prompt" }, say("begin.title")),
    welcome(state),
    form(state));
}

// about draws the text of the card that a prompt is about, because a simulated
// card cannot be read.
function about(asked) {
  const does = typeof asked.args?.card === "string" && textOf(asked.args.card.replace(/^card\./, ""));
  return does && h("p", { class: "about", "data-k": "about" }, does.split("\n").map(l => h("span", null, l)));
}

// aloud returns the text that a screen reader says at once.
export function aloud({ live }) {
  const v = live.view, r = live.status.receipt, [p] = v.prompts;
  if (live.status.continue) return waiting(live);
  const refused = r && r.outcome !== "accepted" ? r.text + ". " : "";
  if (v.winners.length) return refused + winners(v);
  if (!p) return refused;
  const name = v.seats.some(s => s.id === p.seat) ? seatName(v, p.seat) : "";
  return refused + (name && !p.text.includes(name) ? name + ": " : "") + p.text;
}

const ghost = inside => h("div", { class: "ghost", "aria-hidden": "true" }, inside);

function banner(v, seat, text, ...below) {
  const known = v.seats.some(s => s.id === seat), sign = () => shape(shapesOf(v)[seat]);
  const named = known && text.includes(seatName(v, seat));
  return h("div", { class: "banner" + (known ? "" : " all"), "data-k": "banner", style: paletteOf(v, seat) },
    ghost(known ? sign() : null),
    !named && h("p", { class: "who" }, known ? [sign(), seatName(v, seat)] : say("page.everybody")),
    h("h2", { id: "prompt", class: text.length > 70 ? "long" : "" }, named && sign(), text),
    below);
}

const winners = v => say(v.winners.length > 1 ? "page.winners" : "page.winner", { name: names(v) });

function names(v) {
  const list = v.winners.map(w => seatName(v, w));
  return list.length < 2 ? list.join("") : list.slice(0, -1).join(", ") + " " + say("page.and") + " " + list.at(-1);
}

// numbered draws an answer of the page itself, with a number for the keyboard.
const numbered = (live, n, act, attributes, text) =>
  button(act, { class: "answer", "data-number": n, disabled: !live.writes, ...attributes },
    h("kbd", { "aria-hidden": "true" }, n), h("span", null, text));

const other = (live, n) => numbered(live, n, "open", { "data-open": "begin" }, say("menu.other"));

function over(live) {
  const v = live.view, s = seated(v).find(s => s.id === v.winners[0]);
  return h("div", { class: "banner won", "data-k": "won", style: s ? palette(s.colour) : {} },
    ghost(v.winners.map(w => shape(shapesOf(v)[w]))),
    h("p", { class: "who" }, say("page.over")),
    h("h2", { id: "prompt" }, winners(v)),
    h("div", { class: "answers" },
      numbered(live, 1, "order", { "data-do": "rematch" }, say("menu.rematch")),
      other(live, 2)));
}

// waiting returns the question whether to continue a match, in the table's words
// if it has any.
const waiting = live => live.view.prompts[0]?.text || say("page.continue");

function continuing(live) {
  return h("div", { class: "banner all", "data-k": "continue" },
    h("p", { class: "who" }, say("page.unfinished")),
    h("h2", { id: "prompt" }, waiting(live)),
    h("div", { class: "answers" },
      numbered(live, 1, "input", { "data-input": "table key yes" }, say("menu.resume")),
      other(live, 2)));
}

// receipt draws the newest receipt if the input was not accepted. It stays until
// an input is accepted; those are in the history.
function receipt(live) {
  const r = live.status.receipt;
  if (!r || r.outcome === "accepted") return null;
  // The question whether to continue a part of a match says the same.
  if (r.override && live.status.continue) return null;
  const named = r.seat !== "table" && live.view.seats.some(s => s.id === r.seat);
  return h("div", { class: "receipt " + r.outcome, "data-k": "receipt" + r.n },
    h("span", { class: "sign", "aria-hidden": "true" }, r.outcome === "unknown" ? "?" : "✕"),
    h("p", null,
      h("strong", null, named ? seatName(live.view, r.seat) + " · " : "", say("receipt." + r.outcome)),
      h("span", null, r.text)),
    unknownTag() && button("open", { "data-open": "learn", "aria-haspopup": "dialog" }, say("learn.which")),
    r.override && button("input", { "data-input": (r.seat || "table") + " key yes", disabled: !live.writes },
      say("receipt.insist")));
}
