// The simulated hardware: each seat's reader, hidden hand and keys. Cards are
// dragged onto the reader, or clicked, or focused and entered. The same place
// has the keys of a table with readers of its own.

import { h, palette, post, say, seatName, shape, shapesOf, store } from "./core.js";
import { accepts, idOf, longest } from "./arena.js";
import { hue, sprite } from "./sprite.js";
import { act, app, hands, render } from "./table.js";
import { lines } from "./texts.js";

const keys = ["yes", "no", "left", "right", "minus", "plus", "next", "undo"];
const signs = { yes: "✓", no: "✕", left: "←", right: "→", minus: "−", plus: "+", next: "»", undo: "↶" };
const worded = ["yes", "no", "next", "undo"]; // where there is room

// Whose hand is shown. It is kept for one match: the next may be played by
// others.
const held = { seat: null, asked: undefined, pinned: null, match: null };
const lying = {};  // seat → the card on its reader
let pulse = null;  // { seat, outcome, n }
let sought = "";   // the cards that answer, when they were last looked for

// follow turns to the hand of who is asked, else whose turn it is.
export function follow(live) {
  const v = live.view;
  if (v.match !== null && v.match !== held.match) {
    const [match, seat] = (store.get("seat") ?? "").split(" ");
    held.match = v.match;
    held.pinned = match === v.match && seat ? seat : null;
  }
  const is = id => v.seats.some(s => s.id === id);
  const now = [v.prompts[0]?.seat, v.turn, v.seats[0]?.id].find(is) ?? null;
  if (now !== held.asked || !is(held.seat)) held.seat = now;
  held.asked = now;
  if (is(held.pinned)) held.seat = held.pinned;
  const r = live.status.receipt;
  if (r && r.n !== app.stale && r.n !== pulse?.n) pulse = { seat: r.place || r.seat, outcome: r.outcome, n: r.n };
  if (v.match === null) for (const seat of Object.keys(lying)) delete lying[seat];
}

function pin(seat) {
  held.pinned = seat;
  store.set("seat", seat ? held.match + " " + seat : "");
}

export const acting = () => held.seat ?? "table";

export function tray(live) {
  const v = live.view;
  if (v.match === null || !live.writes || !v.seats.length) return [];
  const seat = v.seats.find(s => s.id === held.seat) ?? v.seats[0];
  // A match without hidden cards is played with the keys alone.
  const cards = live.status.simulated && app.piles.length > 0;
  return [
    h("div", { class: "tabs", role: "tablist", "aria-label": say("tray.whose"), "data-k": "tabs" },
      v.seats.map(s => tab(v, s, s === seat, cards)),
      h("label", { class: "pin" }, h("input", { type: "checkbox", "data-pin": "", checked: held.pinned === seat.id }), h("span", null, say("tray.stay")))),
    cards && h("div", { class: "hand-row", id: "hand", role: "tabpanel", "aria-labelledby": "tab-" + seat.id, style: palette(seat.colour), "data-k": "hand" },
      reader(v, seat), hand(v, seat), heaps(v, seat)),
    h("div", { class: "keys", role: "group", "aria-label": say("tray.keys"), style: palette(seat.colour), "data-k": "keys" },
      keys.map(k => h("button", { type: "button", class: "key " + k, "data-press": k, "data-seat": seat.id, "data-k": k, "aria-label": say("key." + k), title: say("key." + k) }, h("span", { class: worded.includes(k) ? "sign" : "" }, signs[k]), worded.includes(k) && h("span", { class: "word" }, say("key." + k))))),
  ];
}

// trayAfter shows cards of the hand that answer, where none is in sight.
export function trayAfter() {
  const row = document.getElementById("hand"), wanted = [...row?.querySelectorAll(".card.wanted") ?? []];
  const now = held.seat + " " + wanted.map(c => c.dataset.tap).join(" ");
  if (now === sought) return;
  sought = now;
  // Where cards were scrolled away, below the reader too, none that answers
  // might be seen.
  const from = row?.querySelector(".reader").getBoundingClientRect().right, boxes = wanted.map(c => c.getBoundingClientRect());
  if (!wanted.length || boxes.some(b => b.left >= from && b.right <= row.getBoundingClientRect().right)) return;
  (row.scrollWidth > row.clientWidth ? row : row.querySelector(".hand")).scrollLeft += boxes[0].left - from - 8;
}

function tab(v, s, selected, cards) {
  const wanted = v.prompts.some(p => p.seat === s.id && p === v.prompts[0]);
  return h("button", { type: "button", role: "tab", id: "tab-" + s.id, class: "tab" + (wanted ? " wanted" : ""), "data-k": s.id, "data-tab": s.id, style: palette(s.colour), "aria-selected": String(selected), "aria-controls": cards && "hand", tabindex: selected ? 0 : -1 },
    shape(shapesOf(v)[s.id]), h("span", null, seatName(v, s.id)));
}

const title = id => {
  for (const p of app.piles) for (const c of p.cards) if (c.id === id) return c.name;
  return id.split(".")[0];
};

function reader(v, seat) {
  const on = lying[seat.id], said = pulse && pulse.seat === seat.id ? " said-" + pulse.outcome : "";
  return h("div", { class: "reader" + (on ? " full" : "") + said, "data-reader": seat.id, "data-k": "reader-" + seat.id + (said ? pulse.n : ""), role: "group", "aria-label": say("tray.reader") },
    h("svg", { class: "waves", viewBox: "0 0 48 48", "aria-hidden": "true" }, h("path", { d: "M24 30a6 6 0 1 0 0-12a6 6 0 1 0 0 12M13 35a15.500 15.500 0 0 1 0-22M35 13a15.500 15.500 0 0 1 0 22M6 42a25.500 25.500 0 0 1 0-36M42 6a25.500 25.500 0 0 1 0 36" })),
    on ? h("span", null, title(on)) : h("span", null, say("tray.reader")),
    on && app.lifts && h("button", { type: "button", "data-lift": on, "data-seat": seat.id }, say("tray.lift")));
}

// handOf is the place of the cards that a seat holds in the hand: during a
// draft those that it picks from, then those that it has picked.
const handOf = seat => ["/draft", "/drafted"].map(zone => seat.id + zone)
  .find(place => app.piles.some(p => p.place === place && p.cards.length)) ?? seat.id + "/hand";

function hand(v, seat) {
  const place = handOf(seat), pile = app.piles.find(p => p.place === place);
  const cards = [...(pile?.cards ?? [])].sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id, undefined, { numeric: true }));
  const asked = cards.some(c => accepts(v, place, c.id));
  return h("div", { class: "hand" }, cards.map(c => card(v, seat.id, place, c, asked)),
    !cards.length && h("p", { class: "none" }, say("tray.no-hand")));
}

// A card of a hand that no answer asks for is picked by a click: it goes next
// where the table does not ask which. Where others are asked for it is tapped,
// and the table says why it is not the one.
function card(v, seat, place, c, asked) {
  const line = accepts(v, place, c.id), picks = !asked && v.winners.length === 0;
  return h("button", { type: "button", class: "card" + (c.does ? " told" : "") + (line ? " wanted" : "") + (c.picked ? " picked" : ""), "data-k": c.id, "data-tap": c.id, "data-pick-of": picks && place, "aria-pressed": picks && String(c.picked === true), "data-seat": line ? line.split(" ")[0] : seat, "data-drag": "", style: { "--hue": hue(c.id.split(".")[0]), "--letters": c.does?.length ?? 0 } },
    sprite(c.id.split(".")[0]), h("span", { class: "name", style: { "--longest": longest(c.name) } }, c.name), does(c), line && h("span", { class: "unseen" }, say("tray.fits")), c.picked && h("span", { class: "next" }, say("tray.picked")));
}

const does = c => c?.does && lines(c.does);

// heaps are the piles of which at most the top is seen: the seat's, and those
// of the table that are asked for.
function heaps(v, seat) {
  const asked = place => v.prompts.some(p => p.options.some(o => o.zone === place));
  const ofSeat = p => p.place.includes("/") ? p.place.startsWith(seat.id + "/") : asked(p.place);
  const piles = app.piles.filter(p => ofSeat(p) && p.place !== handOf(seat) && p.cards.length).map(p => {
    const own = p.place.includes("/"), name = own ? p.place.slice(seat.id.length + 1) : p.place;
    const open = (own ? seat : v).zones[name], top = open?.find(c => idOf(c) === p.cards[0].id);
    if (open && open.every(c => c.card !== null)) return null;
    return heap(v, seat, p, name, top);
  }).filter(Boolean);
  return piles.length > 0 && h("div", { class: "heaps" }, piles);
}

function heap(v, seat, p, name, top) {
  const id = top ? idOf(top) : "", line = accepts(v, p.place, id);
  // A boss has a deck as well.
  const twin = p.place === name && app.piles.some(o => o.place === seat.id + "/" + name), what = p.title + (twin ? " · " + seatName(v, "table") : "");
  const known = top && p.cards.find(c => c.id === id);
  const inside = [
    top ? [sprite(top.card), h("span", { class: "name", style: { "--longest": longest(top.name ?? top.card) } }, top.name ?? top.card), does(known)] : h("span", { class: "name" }, what),
    h("span", { class: "count" }, p.cards.length)];
  const attributes = { class: "card heap" + (top ? "" : " back") + (known?.does ? " told" : "") + (line ? " wanted" : ""), "data-k": p.place, title: what, style: top ? { "--hue": hue(top.card), "--letters": known?.does?.length ?? 0 } : {} };
  if (!line) return h("div", { ...attributes, "aria-label": `${what}: ${p.cards.length}` }, inside);
  return h("button", { ...attributes, type: "button", "data-tap": id || p.place, "data-seat": line.split(" ")[0], "data-drag": "" }, inside);
}

// tap lays a card on a reader and, unless the game wants it to stay there,
// takes it off again as a hand would. A place stands for its top card.
async function tap(seat, tag) {
  const pile = app.piles.find(p => p.place === tag);
  if (pile) tag = pile.cards[0]?.id;
  if (!tag) return;
  lying[seat] = tag;
  render();
  const trouble = await act("/api/tap", { place: seat, tag });
  if (lying[seat] !== tag) return; // another one was laid meanwhile
  if (trouble) delete lying[seat];
  else if (!app.lifts) setTimeout(() => lift(seat, tag), 450);
  render();
}

async function pick(place, card) {
  if (!await act("/api/pick", { place, card })) hands();
}

async function lift(seat, tag) {
  if (lying[seat] !== tag) return;
  await post("/api/lift", { place: seat, tag });
  if (lying[seat] === tag) delete lying[seat];
  render();
}

// --- hands on it -----------------------------------------------------------

let drag = null; // the card under the finger
let dragged = 0; // when one was let go: the click that follows is none

export function dragging() {
  document.addEventListener("click", e => {
    const b = e.target.closest("[data-tap], [data-lift], [data-tab], [data-reach]");
    if (!b || Date.now() - dragged < 60) return;
    const d = b.dataset;
    if (d.lift) lift(d.seat, d.lift);
    else if (d.pickOf) pick(d.pickOf, d.tap);
    else if (d.tap) tap(d.seat, d.tap);
    else if (d.tab) show(d.tab);
    else reach(d.reach);
  });
  document.addEventListener("change", e => {
    if (!e.target.matches("[data-pin]")) return;
    pin(e.target.checked ? held.seat : null);
    render();
  });
  document.addEventListener("keydown", e => {
    const tabs = e.target.closest("[role=tablist]");
    if (!tabs || !["ArrowLeft", "ArrowRight"].includes(e.key)) return;
    const all = [...tabs.querySelectorAll("[role=tab]")], i = all.findIndex(t => t.dataset.tab === held.seat);
    show(all[(i + (e.key === "ArrowRight" ? 1 : all.length - 1)) % all.length].dataset.tab);
    document.getElementById("tab-" + held.seat)?.focus();
    e.preventDefault();
    e.stopPropagation();
  });
  document.addEventListener("pointerdown", e => {
    const card = e.target.closest("[data-drag]");
    if (!card || e.button !== 0) return;
    drag = { card, x: e.clientX, y: e.clientY, id: e.pointerId, ghost: null };
  });
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", drop);
  document.addEventListener("pointercancel", () => { let go = drag; drag = null; go?.ghost?.remove(); over(null); });
  document.addEventListener("dragstart", e => { if (e.target.closest?.("[data-drag]")) e.preventDefault(); });
}

function show(seat) {
  held.seat = seat;
  if (held.pinned) pin(seat);
  render();
}

// reach leads to the cards of a zone.
function reach(zone) {
  const [seat] = zone.split("/");
  if (app.live.view.seats.some(s => s.id === seat)) held.seat = seat;
  render();
  const card = document.querySelector("#tray .card.wanted, #arena .plate.wanted");
  card?.focus();
  card?.scrollIntoView({ block: "nearest", inline: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
}

function move(e) {
  if (!drag || e.pointerId !== drag.id) return;
  if (!drag.ghost) {
    if (Math.hypot(e.clientX - drag.x, e.clientY - drag.y) < 8) return;
    const box = drag.card.getBoundingClientRect();
    drag.ghost = drag.card.cloneNode(true);
    drag.ghost.classList.add("ghost-card");
    drag.ghost.removeAttribute("data-k");
    drag.ghost.style.width = box.width + "px";
    drag.ghost.style.height = box.height + "px";
    drag.dx = drag.x - box.left;
    drag.dy = drag.y - box.top;
    document.body.append(drag.ghost);
  }
  drag.ghost.style.transform = `translate(${e.clientX - drag.dx}px, ${e.clientY - drag.dy}px) rotate(-4deg)`;
  over(readerAt(e));
}

function drop(e) {
  if (!drag || e.pointerId !== drag.id) return;
  const { ghost, card } = drag, on = ghost && readerAt(e);
  drag = null;
  if (!ghost) return;
  ghost.remove();
  over(null);
  dragged = Date.now();
  if (on) tap(on.dataset.reader, card.dataset.tap);
}

const readerAt = e => document.elementsFromPoint(e.clientX, e.clientY).find(x => x.matches("[data-reader], [data-reader] *"))?.closest("[data-reader]");

function over(reader) {
  for (const r of document.querySelectorAll("[data-reader]")) r.toggleAttribute("data-live-over", r === reader);
}
