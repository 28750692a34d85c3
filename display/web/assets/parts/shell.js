// The line above every page but the table's: the way to the others, and the match that is on.

import { button, h } from "../dom.js";
import { paletteOf, seatName, shape, shapesOf } from "../seats.js";
import { question } from "../store.js";
import { languages, say } from "../words.js";
import { rounds } from "./bar.js";
import { further, pages, sign } from "./places.js";

const roomOf = path => path.split("/")[1];

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

function asked(v) {
  const p = v.match !== null && !v.winners.length && question(v), seated = p && v.seats.some(s => s.id === p.seat);
  if (v.match === null) return h("a", { class: "on-air", href: "/" }, h("b", null, say("shell.none")));
  return h("a", { class: "on-air", href: "/", style: p ? paletteOf(v, p.seat) : {} },
    seated && h("span", { class: "of" }, shape(shapesOf(v)[p.seat])),
    h("b", null, seated ? say("shell.asked", { name: seatName(v, p.seat) }) : v.title),
    h("span", null, seated && v.title, " ", rounds(v)));
}
