// The seats, each in its place, with all that lies before it.

import { idOf } from "../cards.js";
import { button, h } from "../dom.js";
import { palette, scoreFirst, seated, seatName, shape, shapesOf } from "../seats.js";
import { handOf, isAsked, isDrawn, mayOf, mine, plays, question, state, verdict } from "../store.js";
import { label, say } from "../words.js";
import { short, times } from "./clock.js";
import { diceRow } from "./dice.js";
import { amount } from "./mend.js";
import { answering, nameOf, plate, tile } from "./card.js";

export const arena = () => [mine() && columns(state.live.view), seats()];

// seats draws all seats, the own one first.
export const seats = () => fromMine(seated(state.live.view)).map(s => seat(state.live, s));

// columns heads the others' seats on the own phone, where each is one line, and opens the board.
function columns(v) {
  const other = fromMine(seated(v))[1], names = other ? slotsOf(other) : [];
  const words = names.map(([n]) => label(v, "zone", n).split(" ")), all = words.flat();
  const [counter] = other ? scoreFirst(other.counters) : [];
  return button("board", {
    class: "cols" + (names.length ? "" : " bare"), "data-k": "cols", "aria-label": say("board.title"),
    "aria-haspopup": "dialog", style: { "--n": names.length },
  }, h("b", null, say("board.title")),
  words.map(list => h("span", null, list.findLast(w => all.indexOf(w) === all.lastIndexOf(w)) ?? list[0])),
  names.length > 0 && counter && h("span", null, label(v, "counter", counter[0])));
}

// fromMine lists the seats clockwise from the own one, if there is one.
function fromMine(seats) {
  const at = Math.max(0, seats.findIndex(s => s.id === mine()));
  return [...seats.slice(at), ...seats.slice(0, at)];
}

function seat(live, s) {
  const v = live.view, asked = isAsked(s.id);
  return h("section", {
    class: "seat" + (asked ? " asked" : "") + (s.id === "table" ? " boss" : "") + (s.id === mine() ? " mine" : "") +
      (s.counters.draft ? " drafting" : ""), "data-k": s.id, "data-seat": s.id,
    "data-asked": asked, style: palette(s.colour), "aria-label": seatName(v, s.id),
  }, header(live, s), h("div", { class: "body" }, inside(live, s)));
}

function header(live, s) {
  const time = times(state).find(t => t.seat === s.id), v = live.view, [score, ...rest] = scoreFirst(s.counters).filter(([name]) => !onTrack(v, s.id, name)), name = seatName(v, s.id);
  const scored = score?.[0] === "score";
  return h("header", null,
    h("div", { class: "id" }, shape(shapesOf(v)[s.id]),
      plays(s.id) && s.id !== "table" ? button("open", { "data-open": "rename", "data-seat": s.id, title: say("seat.rename") }, name) : h("span", null, name)),
    v.turn === s.id && h("span", { class: "tag" }, say("seat.turn")),
    time && short(time),
    (s.state ?? []).map(t => h("span", { class: "tag", "data-k": t }, label(v, "state", t))),
    chips(live, s.id),
    h("div", { class: "stats" },
      (scored ? rest : score ? [score, ...rest] : []).map(([c, n]) => stat(live, s, c, n)),
      diceRow(v, v.dice.filter(d => d.seat === s.id)),
      scored && h("span", { class: "score", "data-k": "score" }, h("b", { class: "pop", "data-k": "v" + score[1] }, amount(live, s.id, ...score)),
        " ", label(v, "counter", "score"))));
}

// onTrack reports whether a lane of the band shows a number.
const onTrack = () => false;

// stat draws a number of a seat. Where it counts a pile that answers, it is a button, and
// that of a hand shows the hand.
function stat(live, s, name, n) {
  const v = live.view, place = s.id + "/" + name, inside = [label(v, "counter", name), " ", h("b", { class: "pop", "data-k": "v" + n }, n)];
  if (verdict(place, "").legal && place !== handOf(state.hand.seat)) return h("button", { type: "button", class: "tab", "data-k": name, ...answering(live, place, "") }, inside);
  if (name === "hand" && live.status.simulated && plays(s.id) && !mine()) {
    return button("show", { class: "stat", "data-k": name, "data-tab": s.id, title: say("tray.whose") }, inside);
  }
  return h("span", { class: "st-" + name, "data-k": name }, label(v, "counter", name), " ", h("b", { class: "pop", "data-k": "v" + n }, amount(live, s.id, name, n)));
}

// chips draws what a seat may do without being asked, where it is no card. Several are a
// choice that this seat is asked for later, unless it is one's own.
function chips(live, id) {
  const may = live.view.prompts.filter(p => p.may && p.seat === id).flatMap(p => p.options).filter(o => !isDrawn(o));
  return live.writes && plays(id) && (may.length === 1 || mine()) && may.map(o =>
    button("input", { class: "chip", "data-may": "", "data-k": o.input, "data-input": o.input }, o.text));
}

const stem = name => /^(.+)-\d+$/.exec(name)?.[1];

// sorted returns the zones of a seat: the numbered ones, those before the discard pile, and the
// others.
function sorted(s) {
  const all = Object.entries(s.zones);
  const numbered = all.filter(([n]) => stem(n) && all.filter(([m]) => stem(m) === stem(n)).length > 1);
  const plain = all.filter(z => !numbered.includes(z)), at = plain.findIndex(([n]) => n === "discard");
  return { numbered, before: at < 0 ? plain : plain.slice(0, at), after: at < 0 ? [] : plain.slice(at) };
}

// slotsOf lists the zones of a seat that hold one card each, if all before its discard pile do.
function slotsOf(s) {
  const { before } = sorted(s);
  return before.length > 1 && before.every(([, cards]) => cards.length < 2) ? before : [];
}

// inside draws the zones of a seat: those before the discard pile as slots or areas, the
// numbered ones as a list of piles, the others as counters that open.
function inside(live, s) {
  const owner = s.id === "table" ? "" : s.id + "/", { numbered, before, after } = sorted(s);
  return [
    slotsOf(s).length ? h("div", { class: "slots", "data-k": "slots" }, before.map(([n, cards]) => slot(live, owner + n, n, cards))) :
      before.map(([n, cards]) => area(live, owner + n, n, cards)),
    (numbered.length > 0 || after.length > 0) && h("div", { class: "side", "data-k": "side", style: { "--rows": numbered.length } },
      numbered.map(([n, cards], i) => pool(live, owner + n, cards, i + 1)),
      h("div", { class: "tabs" }, after.map(([n, cards]) => tab(live, owner + n, n, cards)))),
  ];
}

function slot(live, place, name, cards) {
  return h("div", { class: "slot", "data-k": name },
    h("small", { class: label(live.view, "zone", name).length > 14 ? "tight" : "" }, label(live.view, "zone", name)),
    cards.length ? cards.map(c => plate(live, place, c, { about: isAbout(live, c) })) : h("div", { class: "hole" }));
}

// area draws a zone of any number of cards.
function area(live, place, name, cards) {
  const n = cards.length, columns = n > 9 ? 4 : 3, rows = n > 6 ? Math.ceil(n / columns) : 2;
  return h("div", { class: "area", "data-k": name, "data-zone": name, "aria-label": label(live.view, "zone", name), style: { "--columns": columns, "--rows": rows } },
    cards.map((c, i) => plate(live, place, c, { k: c.card === null ? i : "", about: isAbout(live, c) })));
}

// isAbout reports whether the question is about a card.
const isAbout = (live, c) => c.card !== null && [question(live.view)?.args?.card].includes("card." + c.card);

// pool draws a pile of which the top card shows: a line, with a chip to turn it over.
function pool(live, place, cards, n) {
  const v = live.view, top = cards.find(c => c.card !== null), may = mayOf(place), count = cards.length;
  if (!count) return h("div", { class: "pool none", "data-k": place }, h("i", { class: "n" }, n), h("span", { class: "nm" }, say("zone.empty")));
  const reveal = may && live.writes && button(live.status.simulated ? "tap" : "input", {
    class: "chip", "data-may": "", "data-k": "may", ...(live.status.simulated ? { "data-tap": place, "data-seat": may.input.split(" ")[0] } : { "data-input": may.input }),
  }, say("seat.reveal"));
  if (!top && reveal) return h("div", { class: "pool down", "data-k": place }, h("i", { class: "n" }, n), h("span", { class: "nm" }), reveal, h("span", { class: "x" }, "×" + count));
  return h("button", { type: "button", class: "pool" + (top ? "" : " down") + (top && isAbout(live, top) ? " about" : ""), "data-k": place, ...answering(live, place, top ? idOf(top) : "") },
    h("i", { class: "n" }, n), h("span", { class: "nm" }, top ? nameOf(top) : ""),
    (top?.keywords ?? []).map(k => tile(v, k)), h("span", { class: "x" }, "×" + count));
}

// tab draws a pile as a counter that opens it.
function tab(live, place, name, cards) {
  const legal = cards.some(c => verdict(place, idOf(c)).legal === "yes");
  return button("sheet", { class: "tab", "data-k": name, "data-sheet": place, "data-legal": legal ? "yes" : null, disabled: !cards.length },
    label(live.view, "zone", name).split(" ")[0], " ", h("b", null, cards.length));
}
