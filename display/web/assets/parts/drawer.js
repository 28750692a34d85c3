// The hardware of a simulated table: readers, the keys of a seat, the strip, the panel.

import { button, h } from "../dom.js";
import { answering, signs } from "../keys.js";
import { grey, palette, paletteOf, seatName, shape, shapesOf } from "../seats.js";
import { acting, isComputer, staysOn } from "../store.js";
import { say } from "../words.js";

export function drawer(state) {
  const { live } = state, v = live.view, id = acting();
  const seats = [...v.seats.filter(s => !isComputer(s.id)), { id: "table", colour: grey }];
  if (!state.drawer || !live.status.simulated || v.match === null) return [];
  return [
    h("header", { "data-k": "head" }, h("h3", null, say("hardware.simulated")), h("p", null, say("hardware.note")),
      button("drawer", { class: "closer" }, h("kbd", { "aria-hidden": "true" }, "Esc"), say("page.close"))),
    state.piles.length > 0 && [
      h("h4", { class: "all" }, say("hardware.readers")),
      h("div", { class: "readers", "data-k": "readers" }, seats.map(s => reader(state, s)))],
    h("section", { "data-k": "keys" }, h("h4", null, say("hardware.keys", { name: seatName(v, id) })),
      h("div", { class: "keys" }, Object.keys(signs).map(k => key(id, k, answering(live, id).includes(k))))),
    live.pictures.includes("panel") && h("section", { "data-k": "panel" }, h("h4", null, say("hardware.panel")),
      h("img", { src: "/panel.png?" + state.panel, alt: say("hardware.panel") })),
    live.pictures.includes("lights") && [
      h("h4", { class: "all" }, say("hardware.lights")),
      h("div", { class: "strip", "data-k": "strip" }, v.tracks.length ? spaces(v, v.tracks[0]) : bars(v))],
  ];
}

function reader({ live: { view: v, status: { receipt: r } }, onReader, gone, piles }, { id, colour }) {
  const on = onReader[id], said = r && r.n !== gone && (r.place || r.seat) === id ? " said-" + r.outcome : "";
  const title = piles.flatMap(p => p.cards).find(c => c.id === on)?.name ?? on?.split(".")[0];
  return h("div", {
    class: "reader" + (on ? " full" : "") + said, "data-reader": id, "data-k": id + (said && r.n), role: "group",
    style: palette(colour), "aria-label": `${say("tray.reader")}: ${seatName(v, id)}`,
  }, h("b", null, shape(shapesOf(v)[id]), h("span", null, id === "table" ? say("menu.title") : seatName(v, id))),
  on && staysOn() ? button("lift", { "data-lift": on, "data-seat": id, title: say("tray.lift") }, title, " ✕") :
    h("em", null, on ? title : say("zone.empty")));
}

const key = (seat, k, answers) => button("press", {
  class: "a key" + (answers ? "" : " idle"), "data-press": k, "data-seat": seat, "data-k": k,
  "aria-label": say("key." + k), title: say("key." + k),
}, ["yes", "no", "next", "undo"].includes(k) ? say("key." + k) : signs[k]);

// The strip at its simplest: without winks, and with so many lights for each space.
const PER_SPACE = 3;

function spaces(v, { first, last, areas, stacks }) {
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const at = first + i, stack = stacks[at] ?? [], area = areas.find(a => at >= a.from && at <= a.to);
    const dim = area && (area.from < area.to ? "red" : at === last ? "top" : "area");
    return Array.from({ length: PER_SPACE }, (_, j) => led(v, stack[Math.floor(j * stack.length / PER_SPACE)], dim));
  });
}

function bars(v) {
  const first = s => Object.values(s.counters)[0] ?? 0, n = Math.floor(36 / v.seats.length);
  const most = Math.max(n, ...v.seats.map(first));
  return v.seats.map(s => Array.from({ length: n }, (_, i) => led(v, i < first(s) * n / most && s.id, "area")));
}

const led = (v, seat, dim) => h("i", seat ? { class: "on", style: paletteOf(v, seat) } : { class: dim || null });
