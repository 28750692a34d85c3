// Dice: on the table, edged with the colour of the seat that threw them, and the
// faces that a prompt offers.

import { h } from "../dom.js";
import { paletteOf } from "../seats.js";
import { choosing } from "../store.js";
import { label } from "../words.js";

// diceRow draws the dice of the running throw: those that were thrown or are
// being thrown now, not those that wait for their throw or have been used.
// With live, a die that answers is a button.
export function diceRow(v, dice, live) {
  const thrower = v.prompts.find(p => p.roll)?.seat;
  const shown = dice.filter(d =>
    d.face !== null ? d.state !== "used" : d.state === "rolling" && d.seat === thrower);
  return shown.length > 0 && h("ul", { class: "dice-row", "data-k": "dice" },
    shown.map(d => h("li", { "data-k": `${d.id} ${d.face ?? ""}`, style: paletteOf(v, d.seat) }, die(v, d, live))));
}

function die(v, d, live) {
  const name = d.face === null ? "?" : label(v, "face", d.face), input = live?.writes && choosing(d.id);
  return h(input ? "button" : "span", {
    class: `die ${d.state || ""}` + (d.face === null ? " blank" : ""), title: name,
    ...(input ? { type: "button", "data-act": "input", "data-input": input, "data-legal": "yes" } : {}),
  }, d.face === null ? "?" : drawn(d.face) ?? h("span", { class: "word" }, name),
  drawn(d.face) && (live && !pips[d.face] ? h("small", null, name) : spoken(name)));
}

export function faceOn(v, face) {
  const name = label(v, "face", face), picture = drawn(face);
  if (!picture) return h("span", { class: "word" }, name);
  return [picture, pips[face] ? spoken(name) : h("span", { class: "word" }, name)];
}

const spoken = name => h("span", { class: "unseen" }, name);

// The centres of the pips, in a square of 24.
const pips = {
  1: ["12 12"], 2: ["7 7", "17 17"], 3: ["6 6", "12 12", "18 18"], 4: ["7 7", "17 7", "7 17", "17 17"],
  5: ["6.5 6.5", "17.5 6.5", "12 12", "6.5 17.5", "17.5 17.5"],
  6: ["7 5.5", "17 5.5", "7 12", "17 12", "7 18.5", "17 18.5"],
};

// Pictures of other faces, drawn for this page. Two or three equal ones share a
// face.
const card = "M-5 -7H5V7H-5Z";
const pictures = {
  growth: "M0 -5 5.5 1H2V5.5H-2V1H-5.5Z", energy: "M1.5 -6.5 -4.5 1H-.6L-1.7 6.5 4.5 -1.5H.6Z",
  character: "M0 -7A3.4 3.4 0 1 1 0 -.2A3.4 3.4 0 1 1 0 -7ZM-6 7A6 6 0 0 1 6 7Z",
};
const outlines = {
  discard: card + "M-2 -2 2 2M2 -2 -2 2", draw: card + "M0 -3V3M-3 0H3",
  graft: "M-4 -7C-4 -2 4 -3 4 1S-4 3 -4 8M4 -7C4 -2 -4 -3 -4 1S4 3 4 8M-3 -5H3M-3 1H3M-3 6H3",
  "infinite-power": "M0 0C2 -3 3 -4 5 -4A4 4 0 0 1 5 4C3 4 2 3 0 0S-3 -4 -5 -4A4 4 0 0 0 -5 4C-3 4 -2 3 0 0Z",
};

// Where one, two or three pictures are on a face, and how large.
const places = [[], [[12, 12, 1.3]], [[7, 12, .95], [17, 12, .95]], [[12, 6.5, .85], [6, 16.5, .85], [18, 16.5, .85]]];

function drawn(face) {
  if (face === null) return undefined;
  const [, name, n = 1] = face.match(/^(.*?)(?:-([1-3]))?$/);
  const inside = pips[face] ? pips[face].map(at => {
    const [cx, cy] = at.split(" ");
    return h("circle", { cx, cy, r: 2.4 });
  }) : (pictures[name] || outlines[name]) && places[n].map(([x, y, size]) =>
    h("path", {
      d: pictures[name] ?? outlines[name], class: outlines[name] ? "outline" : null,
      transform: `translate(${x} ${y}) scale(${size})`,
    }));
  return inside && h("svg", { class: "face-" + name, viewBox: "0 0 24 24", "aria-hidden": "true" }, inside);
}
