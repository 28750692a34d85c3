// A creature of pixels for every kind of card. It is computed from the card's
// name, so it is the same on every screen and needs nobody's artwork.

import { h } from "../dom.js";

function numbers(text) {
  let a = 2166136261;
  for (const c of text) a = Math.imul(a ^ c.codePointAt(0), 16777619);
  return () => {
    a = Math.imul(a ^ (a >>> 15), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
    return ((a ^= a >>> 16) >>> 0) / 4294967296;
  };
}

const cache = Object.create(null); // by kind

const body = kind => cache[kind] ??= drawn(numbers(kind));

// drawn returns a mirrored creature of 11 × 9 pixels with eyes, dense in the
// middle and ragged at the edges.
function drawn(next) {
  for (let i = 0; i < 8; i++) next();
  const far = (x, y) => Math.hypot(x / 6, (y - 4) / 5.2), six = Array(6).fill(), nine = Array(9).fill();
  const on = nine.map((_, y) => six.map((_, x) => next() < 1.12 - far(x, y) * .95));
  const eye = 2 + Math.floor(next() * 2), side = 1 + Math.floor(next() * 2);
  on[eye][side] = false;
  if (next() < .5) on[eye + 1][side] = true;
  if (next() < .6) { const y = eye + 2; on[y][0] = false; on[y][1] = next() < .5; }
  const pixel = (x, y) => `M${x} ${y}h1v1h-1z`;
  const pair = (is, x, y) => !is ? "" : x ? pixel(5 - x, y) + pixel(5 + x, y) : pixel(5, y);
  const d = on.flatMap((row, y) => row.map((is, x) => pair(is, x, y))).join("");
  return { hue: Math.floor(next() * 12) * 30, picture: h("svg", {
    class: "sprite", viewBox: "0 0 11 9", "aria-hidden": "true", "shape-rendering": "crispEdges",
  }, h("path", { d })) };
}

export const hue = kind => body(kind).hue;

export const sprite = kind => body(kind).picture;
