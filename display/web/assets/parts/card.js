import { idOf, longest } from "../cards.js";
import { button, h } from "../dom.js";
import { palette, seatName, shape, shapesOf } from "../seats.js";
import { cardOf, handOf, isTables, mine, plays, textOf, verdict } from "../store.js";
import { label, say } from "../words.js";
import { hue, sprite } from "./sprite.js";

export const nameOf = c => c.card === null ? say("card.back") : c.name ?? c.card;

export const cube = h("svg", { class: "cube", viewBox: "0 0 24 24", "aria-hidden": "true" },
  h("path", { d: "M12 1.500 21.500 7v10L12 22.500 2.500 17V7Z" }),
  h("path", { d: "M2.500 7 12 12.500 21.500 7M12 12.500v10" }));

// lines draws the lines of a card's text, with the part before a colon in bold.
export const lines = (does, kept) => h("span", { class: "does" }, does.split("\n").map((l, i) => {
  const at = l.indexOf(":"); // -1 if nothing is bold
  return h("span", i >= kept ? { class: "rest" } : null,
    at > 0 && h("b", null, l.slice(0, at).trim()), " ", l.slice(at + 1).trim());
}));

// facts takes keywords and numbers, which are drawn as tiles, out of the first line of a
// card's text, such as "Power 5, TOUGH": { keywords, counters, does }.
function facts(v, does) {
  const [first, ...rest] = does.split("\n"), keywords = [], counters = {}, words = Object.entries(v.labels ?? {});
  const dice = rest[0]?.match(say("card.rolls"))?.[1];
  const named = { [say("card.power").toLowerCase()]: "power", [say("card.price").toLowerCase()]: "price" };
  const find = (group, text) => words.find(([k, word]) => k.startsWith(group + ".") && word.toLowerCase() === text)?.[0]
    .slice(group.length + 1);
  for (const word of first.toLowerCase().replace(/ \(\?\)/g, "").split(", ")) {
    const keyword = find("keyword", word), [, name, n] = word.match(/^(.+) (\d+)$/) ?? [];
    const counter = name && (named[name] ?? find("counter", name));
    if (keyword) keywords.push(keyword);
    else if (counter) counters[counter] = Number(n);
    else if (Object.keys(counters).length) keywords.push(word); // its label is not in the view
    else return { keywords: [], counters: {}, does };
  }
  if (dice) counters.dice = Number(dice);
  return { keywords, counters, does: rest.slice(dice ? 1 : 0).join("\n") };
}

// keptOf returns how many lines of a text remain on a phone, if the card of a hand of n cards has
// no room for all of them there: those up to the first that says when it counts.
function keptOf(does, n) {
  const list = does.split("\n"), tall = Math.floor((Math.min(156, 310 / Math.ceil(n / 2)) - 34) / 15);
  const fits = list.reduce((sum, l) => sum + Math.ceil(l.length / 26), 0) <= tall;
  return fits ? list.length : list.findIndex(l => l.includes(":")) + 1 || 1;
}

export const tile = (v, k) => h("span", { class: "kw", title: label(v, "keyword", k) },
  h("i", { class: "g", "aria-hidden": "true" }, label(v, "keyword", k)[0]), h("span", null, label(v, "keyword", k)));

const tiles = (v, list, counters = []) => list?.length + counters.length > 0 &&
  h("span", { class: "genes" }, counters.map(([name, n]) => value(v, name, n)), list?.map(k => tile(v, k)));

// value draws a number of a card: its dice as a die, another with a letter where there is
// no room for the word.
function value(v, name, n) {
  const word = label(v, "counter", name);
  return h("span", { class: "val", "data-k": name, title: word },
    name === "dice" ? [h("i"), "×"] : [word[0], h("span", null, word.slice(1))], h("b", null, n));
}

function corner(v, counters) {
  const all = Object.entries(counters), [name, n] = all[0] ?? [], big = name === "power" || name === "price";
  if (!big) return [null, all];
  const title = label(v, "counter", name);
  return [h("span", { class: "pow " + name, title }, name === "price" && cube, n), all.slice(1)];
}

export function answering(live, place, id) {
  const { legal, why, input } = verdict(place, id);
  const attributes = {
    "data-card": id || place, "data-legal": legal, "data-place": place, "data-why": why,
    "data-ids": live.writes && id.includes(".") ? id : null,
  };
  if (legal !== "yes" || !live.writes) return { ...attributes, "data-act": "card" };
  return { ...attributes, ...(live.status.simulated ?
    { "data-act": "tap", "data-tap": id || place, "data-seat": input.split(" ")[0] } :
    { "data-act": "input", "data-input": input }) };
}

// read finds what a boss's card says beside its abilities: { arrow, weakness, does }.
function read(does) {
  const all = does.split("\n"), found = pattern => all.map(l => l.match(pattern)).find(Boolean);
  const arrow = found(say("boss.arrow")), weakness = found(say("boss.weakness"));
  const apart = [found(say("boss.of")), arrow, weakness].map(m => m?.input);
  return {
    arrow: arrow && (arrow[1] === say("boss.left") ? "←" : "→"), weakness: weakness?.slice(1),
    does: all.filter(l => !apart.includes(l)).join("\n"),
  };
}

export function plate(live, place, c, { k = "", about, boss } = {}) {
  const v = live.view, id = idOf(c), back = c.card === null;
  const states = c.state ?? [], down = states.includes("face-down");
  const f = facts(v, !back && !down && textOf(c.card) || ""), [main, others] = corner(v, c.counters ?? f.counters);
  const { arrow, weakness, does } = boss ? read(f.does) : f;
  return h("button", {
    type: "button", "data-k": k + (id || "back"), class: "card" + (back ? " back" : "") + (down ? " ko" : "") +
      states.map(s => " is-" + s).join("") + (about ? " about" : ""),
    style: back ? {} : { "--hue": hue(c.card), "--longest": longest(nameOf(c)) }, ...answering(live, place, id),
  },
  main,
  h("span", { class: "name" }, nameOf(c), arrow && h("i", { class: "moves" }, arrow)),
  tiles(v, c.keywords ?? f.keywords, others),
  stated(v, states.filter(s => !back || s !== "face-down")),
  does && lines(does),
  weakness && h("span", { class: "weak" }, h("b", null, "−" + weakness[0]),
    h("span", null, h("em", null, say("boss.weak")), weakness[1])),
  below(v, c), !back && sprite(c.card));
}

const stated = (v, states) => states.map(s => h("span", { class: "state", "data-k": s }, label(v, "state", s)));

const below = (v, c) => ["under", "attached"].map(how => (c[how] ?? []).map(u =>
  h("span", { class: "below " + how }, nameOf(u), (u.state ?? []).map(s => h("small", null, label(v, "state", s))))));

export function held(live, place, c, { n, picks, picked, names } = {}) {
  const a = { ...answering(live, place, c.id), ...(names && { "data-act": "card" }) };
  return h("button", {
    type: "button", class: "card" + (picked ? " picked" : ""), "data-k": c.id, "data-drag": "", ...look(c), ...a,
    ...(picks && a["data-legal"] !== "yes" ? {
      "data-act": "pick", "data-pick-of": place, "data-tap": c.id, "aria-pressed": String(picked === true),
    } : {}),
  }, face(live.view, c, n), picked && h("span", { class: "state" }, say("tray.picked")), sprite(c.kind));
}

const look = c =>
  ({ style: { "--hue": hue(c.kind), "--longest": longest(c.name), "--letters": c.does?.length ?? 0 } });

function face(v, c, n) {
  const f = facts(v, c.does ?? ""), [main, others] = corner(v, c.counters ?? f.counters);
  const kept = n ? keptOf(f.does, n) : Infinity, rest = f.does.split("\n").slice(kept).map(l => l.split(":")[0].trim());
  return [
    main,
    h("span", { class: "name" }, h("span", null, c.name), tiles(v, c.keywords ?? f.keywords, others)),
    f.does && lines(f.does, kept),
    rest.length > 0 && h("span", { class: "more", "aria-hidden": "true" }, "+ " + rest.join(", "))];
}

export const whole = (v, c) => h("div", { class: "card whole", "data-k": c.kind, ...look(c) },
  face(v, c), stated(v, c.state ?? []), below(v, c), sprite(c.kind));

export const notNow = why => why && h("p", { class: "notnow", "data-k": "why" },
  h("b", null, say("card.not-now")), h("span", null, why));

export const amount = (live, seat, what, n, inside = n) =>
  !plays(seat) || live.view.match === null ? inside : button("number", {
  class: "amount", "data-seat": seat, "data-what": what, "data-value": n, "aria-haspopup": "dialog",
  "aria-label": say("mend.of", { name: label(live.view, "counter", what), what: n }), title: say("mend.number"),
}, inside);

export function zoom({ live, zoom }) {
  const c = zoom && cardOf(zoom.place, zoom.card);
  return zoom ? [c && whole(live.view, c), notNow(zoom.why)] : [];
}

const unnamed = ["battle-card", "draft-pick", "draft-last-pick"]; // prompts after which a card goes unnamed

export function hand(state) {
  const { live, piles } = state, v = live.view, seat = v.seats.find(s => s.id === state.hand.seat);
  if (!seat || !live.status.simulated || !piles.length) return [];
  const place = handOf(seat.id), cards = [...piles.find(p => p.place === place)?.cards ?? []];
  if (isTables(seat.id)) cards.reverse(); // as they came: a question says which one from the left
  else cards.sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id, undefined, { numeric: true }));
  const laid = seat.zones.battle ?? [], where = seat.id + "/battle", all = laid.length + cards.length;
  const picks = !state.narrow && v.prompts.some(p => p.seat === seat.id && unnamed.includes(p.key));
  const names = state.narrow && !mine(); // there is only room for them: who presses one reads it first
  const title = say(laid.length ? "band.battle" : "hand.title");
  return [
    h("div", { class: "own", "data-k": "own", style: palette(seat.colour) },
      h("strong", null, shape(shapesOf(v)[seat.id]), title),
      h("span", null, seatName(v, seat.id)), h("span", null, say("hand.cards", { n: all }))),
    h("div", {
      class: "cards" + (all > 6 ? " many" : all > 5 ? " six" : ""), "data-k": "hand-" + seat.id, role: "group",
      "aria-label": say("tray.cards"), style: { "--columns": Math.max(4, Math.ceil(all / 2)) },
    },
      laid.map((c, i) => c.card === null ? faceDown(live, where, i) :
        held(live, where, { id: idOf(c), kind: c.card, name: nameOf(c), does: textOf(c.card) }, { n: all, names })),
      cards.map(c => held(live, place, c, { n: all, picks, picked: picks && c.picked, names })),
      !all && h("p", { class: "nohand" }, say("tray.no-hand"))),
  ];
}

const faceDown = (live, place, i) => h("button", {
  type: "button", class: "card back", "data-k": "down" + i, ...answering(live, place, ""),
}, h("span", { class: "name" }, h("span", null, label(live.view, "state", "face-down"))));
