// The line above every page but the table's: the way to the others, and the match that is on.

import { button, h, icon } from "../dom.js";
import { paletteOf, seatName, shape, shapesOf } from "../seats.js";
import { question } from "../store.js";
import { languages, say } from "../words.js";
import { chip, rounds } from "./bar.js";

const signs = {
  table: "M3 8 12 4l9 4-9 4zM5 9v7M19 9v7M12 12v7",
  tables: "M3 4h8v7H3zM13 4h8v7h-8zM3 13h8v7H3zM13 13h8v7h-8z",
  history: "M12 3a9 9 0 1 0 .01 0M12 7v5l4 2",
  players: "M8 4l4 4-4 4-4-4zM17 12a4 4 0 1 0 .01 0M4 20h9",
  cards: "M8 3h11v15H8zM8 6 4 7l3 14 8-1",
  stream: "M3 5h18v12H3zM8 21h8M10 8v6l5-3z",
  evenings: "M4 5h16v15H4zM4 10h16M8 3v4M16 3v4",
  parts: chip,
  trust: "M12 3l8 3v6c0 5-3 8-8 9-5-1-8-4-8-9V6z",
  more: "M4 6h16M4 12h16M4 18h16",
};

export const outline = d => icon("sign", d);
export const sign = name => outline(signs[name]);

// The first four are also the tabs of a phone.
export const pages = {
  table: { table: "/", history: "/history", players: "/players", cards: "/cards", stream: "/overlay/edit" },
  hall: { tables: "/", history: "/history", players: "/players", evenings: "/evenings" },
};
const further = { table: { parts: "/setup", trust: "/trust" }, hall: {} };

// What the table's own menu leads to.
export const places = Object.entries({ ...pages.table, ...further.table }).slice(1);

const roomOf = path => path.split("/")[1];

// isHere reports whether the page with an address, or one that belongs to it, is the open one.
const isHere = href => roomOf(href) === roomOf(location.pathname.replace(/^\/matches/, "/history"));

export function shell({ live, ofHall, bare, lang, theme }) {
  const kind = ofHall ? "hall" : "table", entry = ([name, href]) => h("a", {
    href, class: "entry", "data-k": name, "aria-current": isHere(href) ? "page" : null,
  }, sign(name), h("span", null, say("shell." + name)));
  const list = Object.entries(pages[kind]).slice(0, bare ? 1 : undefined);
  return [
    h("a", { class: "mark", href: "/" }, "table", h("i", null, "/"), "side"),
    h("nav", { "aria-label": say("menu.pages") }, list.map(entry),
      h("button", { type: "button", class: "entry", popovertarget: "more", "data-k": "more" },
        sign("more"), h("span", null, say("shell.more")))),
    live && !ofHall && asked(live.view),
    h("div", { id: "more", popover: "auto", "data-k": "menu" },
      h("div", { class: "list" }, [...list, ...Object.entries(further[kind])].map(entry)),
      h("div", { class: "rowed" }, languages.map(l => button("shell", {
        class: "b", lang: l, "data-remember": "lang", "data-value": l, "aria-pressed": String(l === lang),
      }, say("lang." + l)))),
      h("div", { class: "rowed" }, ["", "light", "dark"].map(t => button("shell", {
        class: "b", "data-remember": "theme", "data-value": t, "aria-pressed": String(t === theme),
      }, say("theme." + (t || "auto")))))),
  ];
}

// asked leads back to the table, and says whose question is open there.
function asked(v) {
  const p = v.match !== null && !v.winners.length && question(v), seated = p && v.seats.some(s => s.id === p.seat);
  if (v.match === null) return h("a", { class: "on-air", href: "/" }, h("b", null, say("shell.none")));
  return h("a", { class: "on-air", href: "/", style: p ? paletteOf(v, p.seat) : {} },
    seated && h("span", { class: "of" }, shape(shapesOf(v)[p.seat])),
    h("b", null, seated ? say("shell.asked", { name: seatName(v, p.seat) }) : v.title),
    h("span", null, seated && v.title, " ", rounds(v)));
}
