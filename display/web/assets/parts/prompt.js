// The prompt at the top of the page.

import { button, h } from "../dom.js";
import { palette, paletteOf, seated, seatName, shape, shapesOf, winnerNames } from "../seats.js";
import { keeps, mine, players, plays, proposal, question, textOf, unknownTag } from "../store.js";
import { say, says, where } from "../words.js";
import { answers } from "./answers.js";
import { clock } from "./clock.js";
import { form } from "./setup.js";
import { waiting } from "./waiting.js";
import { unset } from "./unset.js";
import { welcome } from "./welcome.js";

export function prompt(state) {
  const { live } = state, { view: v, status } = live;
  if (status.continue) return [continuing(live), waiting(state), receipt(state)];
  if (v.match === null && proposal(v)) {
    return [proposed(state), keeps() && !begins(v) && form(state), receipt(state)];
  }
  if (v.match === null) {
    // The receipt of an unknown tag comes above the form, which is long; others
    // come below, beside the button that begins the match.
    const both = [starting(state), receipt(state)];
    return status.receipt?.outcome === "unknown" ? both.reverse() : both;
  }
  if (v.winners.length) return [over(state), receipt(state)];
  if (!v.prompts.length) return [clock(state), banner(v, null, say("page.wait")), receipt(state)];
  const first = question(v);
  return [clock(state), banner(v, first.seat, first.text, about(first), answers(live, first, true)), receipt(state)];
}

// starting draws the prompt of an empty table, with the form for its owner.
function starting(state) {
  if (!keeps()) {
    return h("div", { class: "starting", "data-k": "starting" },
      h("h2", { id: "prompt" }, say("begin.wait")), h("p", { class: "follows" }, say("begin.owner")));
  }
  return h("div", { class: "starting", "data-k": "starting" },
    h("p", { class: "who" }, state.live.view.prompts[0]?.text || say("begin.welcome")),
    h("h2", { id: "prompt" }, say("begin.title")),
    unset(state),
    welcome(state),
    form(state));
}

// about draws the text of the card that a prompt is about, because a simulated
// card cannot be read.
function about(asked) {
  const does = typeof asked.args?.card === "string" && textOf(asked.args.card.replace(/^card\./, ""));
  return does && h("p", { class: "about", "data-k": "about", title: does },
    does.split("\n").map(l => [h("span", null, l), " "]));
}

// aloud returns the text that a screen reader says at once.
export function aloud({ live }) {
  const v = live.view, r = live.status.receipt, p = question(v);
  if (live.status.continue) return whether(live);
  if (v.match === null && proposal(v)) return proposal(v).text;
  const refused = r && r.outcome !== "accepted" ? r.text + ". " : "";
  if (v.winners.length) return refused + winners(v);
  if (!p) return refused;
  const name = v.seats.some(s => s.id === p.seat) ? seatName(v, p.seat) : "";
  return refused + (name && !p.text.includes(name) ? says(name, p.text) : p.text);
}

// news draws what has just happened, for screen readers. A new element is read once.
export const news = ({ news: { n, lines } }) => lines.length > 0 && h("p", { "data-k": "n" + n }, lines.join(". "));

const ghost = inside => h("div", { class: "ghost", "aria-hidden": "true" }, inside);

// banner draws a prompt: its text, which has the same room in all prompts, and the
// answers.
function banner(v, seat, text, more, below) {
  const known = v.seats.some(s => s.id === seat), sign = () => shape(shapesOf(v)[seat]);
  const named = known && text.includes(seatName(v, seat));
  const others = known && mine() && seat !== mine(); // their question does not look like one's own
  const kind = (known ? "" : " all") + (seat === mine() ? " mine" : "") + (others ? " others" : "");
  const colours = paletteOf(v, seat);
  return h("div", { class: "banner" + kind, "data-k": "banner", style: others ? {} : colours },
    ghost(known ? sign() : null),
    h("div", { class: "text" },
      !named && h("p", { class: "who", style: others ? colours : {} },
        known ? [sign(), seatName(v, seat)] : say("page.everybody")),
      h("h2", { id: "prompt", class: text.length > 70 ? "long" : "" }, named && sign(), text),
      more),
    below);
}

const winners = v => say(v.winners.length > 1 ? "page.winners" : "page.winner", { name: winnerNames(v) });

// numbered draws an answer of the page itself, with a number for the keyboard.
const numbered = (n, act, attributes, text) =>
  button(act, { class: "answer", "data-number": n, ...attributes },
    h("kbd", { "aria-hidden": "true" }, n), h("span", null, text));

// begins returns the answer that begins what a hall proposes, if it is known which game.
const begins = v => proposal(v)?.options.find(o => o.key === "seated");

// begin draws that answer as the first one.
const begin = live => live.writes && begins(live.view) &&
  numbered(1, "input", { "data-input": begins(live.view).input }, begins(live.view).text);

// proposed draws the empty table while a hall says who shall play here. An owner chooses the
// game below, if that is open.
function proposed({ live }) {
  const { view: v } = live, ready = begins(v);
  return h("div", { class: "banner all proposed", "data-k": "proposed" },
    h("div", { class: "text" },
      h("p", { class: "who" }, where(live)),
      h("h2", { id: "prompt" }, players(live)),
      !ready && !keeps() && h("p", { class: "about" }, say("begin.owner"))),
    ready && h("div", { class: "answers" }, begin(live), other(2)));
}

const other = n => keeps() && numbered(n, "open", { "data-open": "begin" }, say("menu.other"));

function over(state) {
  const { live } = state, v = live.view, s = seated(v).find(s => s.id === v.winners[0]);
  const one = begin(live), n = one ? 2 : 1;
  return h("div", { class: "banner won", "data-k": "won", style: s ? palette(s.colour) : {} },
    ghost(v.winners.map(w => shape(shapesOf(v)[w]))),
    h("div", { class: "text" },
      h("p", { class: "who" }, say("page.over")),
      h("h2", { id: "prompt" }, winners(v)),
      proposal(v) && h("p", { class: "about" }, proposal(v).text)),
    h("div", { class: "answers" },
      one,
      live.writes && numbered(n, "order", { "data-do": "rematch" }, say("menu.rematch")),
      other(n + 1),
      !state.moment && state.result && numbered(n + 2, "showResult", {}, say("moment.result"))));
}

// whether returns the question whether to continue a match, in the table's words
// if it has any.
const whether = live => live.view.prompts[0]?.text || say("page.continue");

function continuing(live) {
  return h("div", { class: "banner all", "data-k": "continue" },
    h("div", { class: "text" },
      h("p", { class: "who" }, say("page.unfinished")),
      h("h2", { id: "prompt" }, whether(live))),
    h("div", { class: "answers" },
      live.writes && numbered(1, "input", { "data-input": "table key yes" }, say("menu.resume")),
      other(2)));
}

// receipt draws the newest receipt if the input was not accepted, over the banner.
// It stays until an input is accepted or it is clicked; one without a button goes
// by itself.
function receipt({ live, dismissed }) {
  const r = live.status.receipt;
  if (!r || r.outcome === "accepted" || r.n === dismissed) return null;
  // The question whether to continue a part of a match says the same.
  if (r.override && live.status.continue) return null;
  const isKey = r.reason?.key === "receipt.unknown-key";
  const named = r.seat !== "table" && live.view.seats.some(s => s.id === r.seat);
  return h("div", { class: "receipt " + r.outcome, "data-k": "receipt" + r.n, "data-act": "dismiss", "data-n": r.n },
    h("span", { class: "sign", "aria-hidden": "true" }, r.outcome === "unknown" ? "?" : "✕"),
    h("p", null,
      h("strong", null, named ? seatName(live.view, r.seat) + " · " : "",
        isKey ? say("learn.unknown-key") : say("receipt." + r.outcome)),
      h("span", null, r.text)),
    unknownTag() && button("open", { "data-open": "learn", "aria-haspopup": "dialog" },
      say(isKey ? "learn.which-key" : "learn.which")),
    r.override && plays(r.seat || "table") && button("input", { "data-input": (r.seat || "table") + " key yes" },
      say("receipt.insist")));
}
