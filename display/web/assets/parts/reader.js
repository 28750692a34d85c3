// A phone as reader: first the seat for which it reads, then the camera's picture with
// the codes that it sees, and what the table has taken.

import { h } from "../dom.js";
import { colours, grey, palette, seatName, shape, shapeOf, shapesOf } from "../seats.js";
import { say } from "../words.js";

// reader draws the page; the window says what the browser can.
export function reader({ live, lost, lang, seat, reader: r }, { isSecureContext, NDEFReader }) {
  const title = h("h1", { "data-k": "title" }, say("reader.title"));
  if (!live) return [title, h("p", { "data-k": "wait" }, lost ? say("page.away") : say("begin.loading"))];
  if (!seat) return [title, choice(live, lang)];
  const shown = live.rights.play && isSecureContext;
  return [
    title,
    head(live, seat, lang),
    lost && h("p", { class: "box trouble", "data-k": "lost" }, say("page.away")),
    !live.rights.play && h("p", { class: "box trouble", "data-k": "watch" }, say("page.watching")),
    live.rights.play && !isSecureContext && insecure(live),
    shown && camera(r),
    shown && buttons(r, NDEFReader),
    h("div", { role: "status", "data-k": "status" }, r.trouble && trouble(r), newest(r.taken)),
    r.taken.length > 1 && h("ul", { class: "taken", "data-k": "taken" }, r.taken.slice(1).map(row)),
  ];
}

const seats = view => [...view.seats.length ? view.seats : Object.keys(colours).slice(0, 4)
  .map(id => ({ id, name: "", colour: colours[id] })), { id: "table", name: "", colour: grey }];

const signOf = (view, id) => shape(shapesOf(view)[id] ?? shapeOf(id));

// choice asks for the seat. Who may show the codes of all can hand one to a phone.
function choice({ view, rights, status }, lang) {
  const codes = rights.play && !rights.seat && status.address;
  const may = seats(view).filter(s => !rights.seat || s.id === rights.seat || s.id === "table");
  return h("section", { "data-k": "choice" },
    h("p", { class: "sub" }, say("reader.which")),
    codes && h("p", null, say("reader.scan")),
    h("ul", { class: "choice" + (codes ? " codes" : "") }, may.map(s => place(s, view, lang, codes))));
}

function place({ id, colour }, view, lang, codes) {
  const name = seatName(view, id), of = id === "table" ? "" : "&seat=" + encodeURIComponent(id);
  return h("li", { "data-k": id, style: palette(colour) },
    h("a", { href: "/reader?" + new URLSearchParams({ seat: id, lang }) }, signOf(view, id), h("span", null, name)),
    codes && h("img", { src: "/join.png?reader=1" + of, alt: say("reader.code", { name }) }));
}

function head({ view, rights }, seat, lang) {
  const sits = seats(view).find(s => s.id === seat);
  return h("p", { class: "line for", "data-k": "for", style: palette(sits?.colour ?? grey) },
    h("b", null, signOf(view, seat), h("span", null, seatName(view, seat))),
    !rights.seat && h("a", { class: "b", href: "/reader?lang=" + lang }, say("reader.other")),
    h("a", { class: "b", href: "/?seat=" + encodeURIComponent(seat) }, say("reader.table")));
}

const insecure = ({ trust }) => h("section", { class: "box trouble", "data-k": "insecure" },
  h("p", null, say("reader.insecure")),
  h("p", null, trust ? h("a", { class: "b", href: "/trust" }, say("reader.trust")) : say("reader.tls")));

const camera = ({ camera: now, seen, blind }) => now === "on" && h("figure", { class: "camera", "data-k": "camera" },
  h("video", { "data-own": "", playsinline: true, muted: true, autoplay: true, "aria-label": say("reader.picture") }),
  outlines(seen.filter(code => code.corners)),
  seen.length === 0 && h("figcaption", null, blind ? say("reader.blind") : say("reader.hold")));

function outlines(seen) {
  const { width = 640, height = 480 } = seen[0] ?? {};
  return h("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "xMidYMid slice", "aria-hidden": "true" },
    seen.map(code => h("path", { class: "code " + code.outcome, d: around(code.corners) })));
}

// around returns the outline of a code, whose corner patterns are somewhat inside it.
function around([a, b, c]) {
  const d = [a[0] + c[0] - b[0], a[1] + c[1] - b[1]], middle = [(a[0] + c[0]) / 2, (a[1] + c[1]) / 2];
  const out = p => p.map((x, i) => Math.round(middle[i] + (x - middle[i]) * 1.5)).join(" ");
  return "M" + [a, b, c, d].map(out).join("L") + "Z";
}

const submit = (act, text, main) => h("form", { "data-act": act, "data-k": act },
  h("button", { type: "submit", class: main ? "b main" : "b" }, text));

const why = (of, now) => h("p", { class: "box trouble", "data-k": of }, say("reader." + of + "-" + now));

function buttons({ camera: now, nfc }, NDEFReader) {
  const failed = of => of && !["asking", "on"].includes(of);
  return h("div", { class: "buttons", "data-k": "buttons" },
    failed(now) && why("camera", now),
    NDEFReader && failed(nfc) && why("nfc", nfc),
    nfc === "on" && h("p", { class: "hint", "data-k": "near" }, say("reader.near")),
    now !== "on" && submit("camera", say("reader.start-camera"), true),
    NDEFReader && nfc !== "on" && submit("nfc", say("reader.start-nfc"), now === ""),
    (now === "on" || nfc === "on") && submit("stop", say("reader.stop")));
}

const trouble = ({ trouble: text }) =>
  h("p", { class: "box trouble" }, text === "unread" ? say("reader.nfc-unread") : text);

const newest = ([first]) => first && h("p", { class: "box newest " + first.outcome, "data-k": "n" + first.n },
  h("b", null, first.name), sentence(first));

const row = tag => h("li", { class: tag.outcome, "data-k": "n" + tag.n }, h("b", null, tag.name), sentence(tag));

const sentence = ({ outcome, said }) => h("span", null, said || (outcome === "accepted" ? say("reader.taken") : ""));
