// The simulated hardware: each seat's reader, hidden hand and keys. For a table
// with real readers it draws the keys only.

import { idOf } from "../cards.js";
import { button, h } from "../dom.js";
import { answering, signs, worded } from "../keys.js";
import { palette, seatName, shape, shapesOf } from "../seats.js";
import { handOf, isAsked, mine, staysOn, topOf, wanted } from "../store.js";
import { say, says } from "../words.js";
import { face, lines, name } from "./card.js";
import { further } from "./further.js";
import { hue, sprite } from "./sprite.js";

export function tray(state) {
  const { live, hand } = state, v = live.view;
  if (v.match === null || !live.writes || !v.seats.length) return [];
  const seat = v.seats.find(s => s.id === hand.seat) ?? v.seats[0], own = mine();
  // One's own seat has no tabs, unless it chooses from another hand.
  const tabs = own && seat.id === own ? [] : v.seats.filter(s => !own || s.id === own || s === seat);
  // A match without hidden cards needs the keys only.
  const cards = live.status.simulated && state.piles.length > 0, style = palette(seat.colour);
  const answers = answering(live, seat.id);
  return [
    h("h2", { id: "tray-title", class: "unseen", "data-k": "title" }, say(cards ? "tray.cards" : "tray.keys")),
    h("div", { class: "tabs", "data-k": "tabs" },
      tabs.length > 0 && h("div", { class: "list", role: "tablist", "aria-label": say("tray.whose") },
        tabs.map(s => tab(v, s, s === seat, cards))),
      !own && h("label", { class: "pin" },
        h("input", { type: "checkbox", "data-act": "pin", "data-pin": "", checked: hand.pinned === seat.id }),
        h("span", null, say("tray.stay")))),
    cards && h("div", {
      class: "hand-row", id: "hand", role: "tabpanel", "aria-labelledby": "tab-" + seat.id, style, "data-k": "hand",
    }, reader(state, seat), handCards(state, seat), heaps(state, seat)),
    h("div", { class: "keys", role: "group", "aria-label": say("tray.keys"), style, "data-k": "keys" },
      Object.keys(signs).map(k => key(seat, k, answers.includes(k)))),
  ];
}

function tab(v, s, selected, cards) {
  return button("show", {
    role: "tab", id: "tab-" + s.id, class: "tab" + (isAsked(s.id) ? " wanted" : ""), "data-k": s.id, "data-tab": s.id,
    style: { ...palette(s.colour), "--letters": seatName(v, s.id).length }, "aria-selected": String(selected),
    "aria-controls": cards && "hand", tabindex: selected ? 0 : -1,
  }, shape(shapesOf(v)[s.id]), h("span", null, seatName(v, s.id)));
}

function key(seat, k, answers) {
  const text = say("key." + k), words = worded.includes(k);
  return button("press", {
    class: "key " + k + (answers ? "" : " idle"), "data-press": k, "data-seat": seat.id, "data-k": k,
    "aria-label": text, title: text,
  }, h("span", { class: words ? "sign" : "" }, signs[k]), words && h("span", { class: "word" }, text));
}

const waves = "M24 30a6 6 0 1 0 0-12a6 6 0 1 0 0 12" +
  "M13 35a15.500 15.500 0 0 1 0-22M35 13a15.500 15.500 0 0 1 0 22" +
  "M6 42a25.500 25.500 0 0 1 0-36M42 6a25.500 25.500 0 0 1 0 36";

function reader({ onReader, pulse, piles }, seat) {
  const on = onReader[seat.id], said = pulse?.seat === seat.id ? " said-" + pulse.outcome : "";
  const title = id => piles.flatMap(p => p.cards).find(c => c.id === id)?.name ?? id.split(".")[0];
  return h("div", {
    class: "reader" + (on ? " full" : "") + said, "data-reader": seat.id,
    "data-k": "reader-" + seat.id + (said ? pulse.n : ""), role: "group", "aria-label": say("tray.reader"),
  },
  h("svg", { class: "waves", viewBox: "0 0 48 48", "aria-hidden": "true" }, h("path", { d: waves })),
  h("span", null, on ? title(on) : say("tray.reader")),
  on && staysOn() && button("lift", { "data-lift": on, "data-seat": seat.id }, say("tray.lift")));
}

const byName = (a, b) =>
  a.name.localeCompare(b.name) || a.id.localeCompare(b.id, undefined, { numeric: true });

function handCards({ live, piles }, seat) {
  const place = handOf(seat.id), cards = [...piles.find(p => p.place === place)?.cards ?? []].sort(byName);
  // If no card of the hand answers, a click picks the card that is played next
  // when the table does not ask which. If others answer, a click taps the card,
  // and the table says why it refuses it.
  const picks = live.view.winners.length === 0 && !cards.some(c => wanted(place, c.id));
  return h("div", { class: "hand", "data-k": "hand-" + seat.id },
    cards.map(c => handCard(seat, place, c, picks)),
    cards.length > 1 && further("hand"),
    !cards.length && h("p", { class: "none" }, say("tray.no-hand")));
}

function handCard(seat, place, c, picks) {
  const line = wanted(place, c.id), kind = c.id.split(".")[0];
  return button(picks ? "pick" : "tap", {
    class: "card" + (c.does ? " told" : "") + (line ? " wanted" : "") + (c.picked ? " picked" : ""), "data-k": c.id,
    "data-tap": c.id, "data-pick-of": picks && place, "aria-pressed": picks && String(c.picked === true),
    "data-seat": line ? line.split(" ")[0] : seat.id, "data-drag": "",
    style: { "--hue": hue(kind), "--letters": c.does?.length ?? 0 },
  },
  face(kind, c.name, c.does),
  line && h("span", { class: "unseen" }, say("tray.fits")),
  c.picked && h("span", { class: "next" }, say("tray.picked")));
}

// heaps draws the piles of which at most the top card is visible: the seat's,
// and those of the table that a prompt asks for.
function heaps({ live, piles }, seat) {
  const v = live.view, asked = place => v.prompts.some(p => p.options.some(o => o.zone === place));
  const shown = p => p.place.includes("/") ? p.place.startsWith(seat.id + "/") : asked(p.place);
  const drawn = piles.filter(p => shown(p) && p.place !== handOf(seat.id) && p.cards.length)
    .map(p => heap(v, seat, p, piles)).filter(Boolean);
  return drawn.length > 0 && h("div", { class: "heaps", "data-k": "heaps" }, drawn);
}

function heap(v, seat, p, piles) {
  const own = p.place.includes("/"), zone = own ? p.place.slice(seat.id.length + 1) : p.place;
  const open = (own ? seat : v).zones[zone], top = topOf(open, p);
  if (open && open.every(c => c.card !== null)) return null;
  const id = top ? idOf(top) : "", line = wanted(p.place, id), does = top && p.cards.find(c => c.id === id)?.does;
  // A boss has a deck too; the name tells the two apart.
  const twin = !own && piles.some(o => o.place === seat.id + "/" + zone);
  const what = p.title + (twin ? " · " + seatName(v, "table") : "");
  const attributes = {
    class: "card heap" + (top ? "" : " back") + (does ? " told" : "") + (line ? " wanted" : ""), "data-k": p.place,
    title: what, style: top ? { "--hue": hue(top.card), "--letters": does?.length ?? 0 } : {},
  };
  const inside = [
    top ? [sprite(top.card), name(top.name ?? top.card), does && lines(does)] : h("span", { class: "name" }, what),
    h("span", { class: "count" }, p.cards.length)];
  if (!line) return h("div", { ...attributes, "aria-label": says(what, p.cards.length) }, inside);
  const [tapper] = line.split(" ");
  return button("tap", { ...attributes, "data-tap": id || p.place, "data-seat": tapper, "data-drag": "" }, inside);
}
