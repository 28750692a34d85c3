// The log, and what lies over the arena: a pile, the log, many answers, dice thrown by hand.

import { idOf } from "../cards.js";
import { button, choice, h, mark } from "../dom.js";
import { paint, palette, paletteOf, seatName, shape, shapesOf } from "../seats.js";
import { question, rolls, sheetNow, shows, textOf } from "../store.js";
import { label, say } from "../words.js";
import { piles, pools } from "./arena.js";
import { byHand, many } from "./ask.js";
import { held, nameOf } from "./card.js";

const kinds = {
  log: lines,
  answers: ({ live }) => [h("h2", null, shows(question().seat) ? question().text : say("ask.choose")), many(live)],
  hint: ({ live, hint: { list, seat } }) => [h("h2", null, say("hint.title")),
    h("div", { style: paletteOf(live.view, seat), "data-k": "hint" }, advice(list))],
  byhand: state => [h("h2", null, say("dice.byhand")), byHand(state)],
};

const advice = list => h("ol", { class: "advice" },
  !list?.length ? h("li", { "data-k": "none" }, say(list ? "hint.none" : "hint.wait")) :
    list.map(({ text, won, of }, i) => h("li", { "data-k": i, style: { "--chance": won / of } },
      h("b", null, text), h("span", null, say("hint.won", { n: won, of })))));

// over draws it into its element, which has the colour of whose it is.
export const over = element => state => {
  const { name = "", style = {}, inside = [] } = opened(state);
  mark(element, "class", name);
  paint(element, style);
  return inside;
};

function opened(state) {
  const what = sheetNow(), draw = kinds[what];
  if (!what || what === "byhand" && !rolls()) return {};
  const [title, inside] = draw ? draw(state) : pile(state.live, what), [seat] = what.split("/");
  return { name: draw ? what : "pile", style: paletteOf(state.live.view, seat), inside: [
    h("header", { "data-k": "head" }, title,
      button("shut", { class: "closer" }, h("kbd", { "aria-hidden": "true" }, "Esc"), say("page.close"))),
    inside] };
}

// pile draws the cards of a place, the newest first. Those that nobody has named are counted.
function pile(live, place) {
  const v = live.view, [id, zone] = place.includes("/") ? place.split("/") : ["table", place];
  const seat = v.seats.find(s => s.id === id), cards = (seat ?? v).zones[zone] ?? [], open = cards.filter(c => c.card);
  const owner = seat && [shape(shapesOf(v)[id]), seatName(v, id)];
  if (seat && zone === "pools") return [h("h2", null, owner), h("div", { class: "pools" }, pools(live, seat))];
  const count = [say("hand.cards", { n: cards.length }), open.length > 1 && say("pile.newest"),
    open.length < cards.length && say("zone.hidden", { n: cards.length - open.length })].filter(Boolean).join(", ");
  return [
    [h("h2", null, owner, seat && " · ", label(v, "zone", zone)), h("p", null, count)],
    h("div", { class: "held", "data-k": place }, open.map(c => held(live, place,
      { ...c, id: idOf(c), kind: c.card, name: nameOf(c), does: textOf(c.card) ?? "" })))];
}

function lines({ live, only }) {
  const v = live.view, rounds = [[]];
  for (const e of live.history) {
    if (e.lines.length && (!only || e.seat === only)) rounds[0].unshift(e);
    if (e.round && !e.undone) rounds.unshift([]);
  }
  const pick = (seat, inside, name) => choice("only", seat, only, { class: "a", "aria-label": name }, inside);
  return [
    [h("h2", null, say("history.title")),
      h("div", { class: "filter", role: "group", "aria-label": say("history.title") },
        pick("", say("log.all")), v.seats.map(s => pick(s.id, [
          h("span", { style: palette(s.colour) }, shape(shapesOf(v)[s.id])),
          h("span", { class: "nm" }, seatName(v, s.id))], seatName(v, s.id))))],
    h("div", { class: "rounds", tabindex: 0, "data-k": "log" }, rounds.map((list, i) => list.length > 0 &&
      h("section", { "data-k": "r" + (v.round - i) },
        v.round > i && h("h3", null, say("page.round", { n: v.round - i })),
        h("ol", null, list.map(e => entry(live, e, back(e, live))))))),
  ];
}

// log draws what has happened, the newest first. A line goes back there, or does what act says.
export function log({ live }, act = back) {
  const list = [...live.history].reverse().filter(e => e.lines.length);
  return [
    live.view.seats.length !== 3 && piles(live),
    h("h2", { "data-k": "title" }, act === back ? button("sheet", { "data-sheet": "log", "aria-controls": "sheet" },
      say("history.title")) : say("history.title")),
    h("ol", { tabindex: 0, "aria-label": say("history.title"), "data-k": "list" },
      list.map(e => entry(live, e, act(e, live))), !list.length && h("li", { class: "none" }, say("history.none"))),
  ];
}

const back = (e, live) => live.writes && e.back > 0 &&
  { "data-act": "back", "data-entry": e.n, title: say("mend.back"), "aria-haspopup": "dialog" };

function entry({ view: v }, e, act) {
  const lines = e.lines.map((l, i) => h(e.undone ? "s" : "span", { class: i ? "further" : "" }, l));
  return h("li", {
    class: (e.undone ? "undone" : "") + (["undo", "redo"].includes(e.event) ? " meta" : ""),
    "data-k": "e" + e.n, style: paletteOf(v, e.seat),
  },
    v.seats.some(s => s.id === e.seat) ? shape(shapesOf(v)[e.seat]) : h("i", { class: "shape" }),
    act ? h("button", { type: "button", class: "line", ...act }, lines) : h("div", { class: "line" }, lines));
}
