// What opens above the page: menu, help, matches, renaming, health, what cards
// do, and what an unknown tag is.

import { draw, h, language, languages, palette, say, shape, shapeOf, shapesOf, store } from "./core.js";
import { app, input } from "./table.js";
import { form } from "./setup.js";
import { beginLesson, lessonPage } from "./learn.js";
import { shortcuts, strokes } from "./keys.js";
import { acting } from "./tray.js";
import { chosen, page } from "./texts.js";

const box = () => document.getElementById("dialog");
let now = null; // { name, seat, matches, cards }

export function dialogs() {
  const dialog = box();
  dialog.addEventListener("close", () => { now = null; });
  dialog.addEventListener("click", e => {
    if (e.target === dialog || e.target.closest("[data-close]")) dialog.close();
    else if (e.target.closest("[data-do], [data-input]")) dialog.close();
  });
  dialog.addEventListener("submit", e => {
    const f = e.target;
    if (f.matches("[data-rename]")) input(`${f.dataset.rename} set name ${JSON.stringify(f.elements.name.value.trim())}`);
    else if (f.matches("[data-line]")) input(f.elements.line.value.trim());
    else return;
    e.preventDefault();
    dialog.close();
  });
  dialog.addEventListener("change", e => {
    if (!e.target.matches("[data-shortcuts]")) return;
    shortcuts.on = e.target.checked;
    store.set("shortcuts", shortcuts.on ? "on" : "off");
  });
}

export function open(name, button) {
  now = { name, seat: button?.dataset.seat, matches: null, cards: name === "cards" && chosen(button.dataset) };
  if (name === "learn") beginLesson(app.live);
  redraw();
  const dialog = box();
  dialog.className = "is-" + name;
  if (!dialog.open) dialog.showModal();
  dialog.querySelector("[autofocus]")?.select?.();
  if (name === "matches") matches();
}

async function matches() {
  const mine = now;
  try {
    const answer = await fetch("/api/matches");
    mine.matches = answer.ok ? await answer.json() : [];
  } catch { mine.matches = []; }
  redraw();
}

export function redraw() {
  if (!now || !app.live) return;
  const [title, ...inside] = pages[now.name](app.live);
  box().setAttribute("aria-label", title);
  draw(box(), h("header", { "data-k": "head" }, h("h2", null, title), h("button", { type: "button", class: "round", "data-close": "", "aria-label": say("page.close") }, "✕")), h("div", { class: "page", "data-k": now.name }, inside));
}

const button = (attributes, text) => h("button", { type: "button", class: "plain", ...attributes }, text);

const pages = {
  menu(live) {
    const v = live.view, may = live.writes, theme = document.documentElement.dataset.theme || "";
    return [say("menu.title"),
      h("div", { class: "list" },
        v.winners.length > 0 && button({ "data-do": "rematch", disabled: !may }, say("menu.rematch")),
        button({ "data-open": "begin", disabled: !may }, v.match !== null ? say("menu.other") : say("begin.title")),
        button({ "data-open": "matches" }, say("menu.matches")),
        v.match !== null && !v.winners.length && button({ "data-open": "abandon", disabled: !may, class: "plain danger" }, say("menu.abandon")),
        live.status.address && button({ "data-open": "join" }, say("menu.join")),
        button({ "data-open": "health" }, say("menu.health")),
        button({ "data-open": "line", disabled: !may }, say("menu.line")),
        button({ "data-open": "help" }, say("help.title"))),
      h("div", { class: "rowed" }, h("span", null, say("page.language")), h("span", { class: "switch", role: "group" }, languages.map(l => h("button", { type: "button", "data-lang": l, lang: l, "aria-pressed": String(l === language.now) }, say("lang." + l))))),
      h("div", { class: "rowed" }, h("span", null, say("menu.theme")), h("span", { class: "switch", role: "group" }, ["", "light", "dark"].map(t => h("button", { type: "button", "data-theme-set": t, "aria-pressed": String(t === theme) }, say("theme." + (t || "auto"))))))];
  },
  begin: live => [say("begin.title"), form(live)],
  abandon: () => [say("menu.abandon"), h("p", null, say("menu.abandon-sure")), h("div", { class: "answers" }, h("button", { type: "button", class: "answer danger", "data-do": "abandon" }, say("menu.abandon")), h("button", { type: "button", class: "answer", "data-close": "", autofocus: true }, say("page.close")))],
  matches(live) {
    if (!now.matches) return [say("menu.matches"), h("p", { class: "none" }, say("begin.loading"))];
    if (!now.matches.length) return [say("menu.matches"), h("p", { class: "none" }, say("matches.none"))];
    return [say("menu.matches"), h("ul", { class: "matches" }, now.matches.map(m => match(live, m)))];
  },
  join: live => [say("menu.join"), h("p", null, say("join.how")), h("img", { class: "code", src: "/join.png", alt: say("join.code") }), h("p", { class: "address" }, live.status.address)],
  health(live) {
    const parts = live.status.health;
    return [say("menu.health"), parts.length ? h("ul", { class: "health" }, parts.map(p => h("li", { class: p.health, "data-k": p.part }, h("i", { "aria-hidden": "true" }, p.health === "ok" ? "✓" : "!"), h("div", null, h("b", null, p.part), h("span", null, say("health." + p.health) + (p.reason ? " · " + p.reason : "")), figures(p))))) : h("p", { class: "none" }, say("health.none"))];
  },
  help(live) {
    return [say("help.title"),
      h("p", null, say("help.how")),
      h("dl", { class: "strokes" }, strokes.map(([stroke, key]) => h("div", null, h("dt", null, h("kbd", null, stroke)), h("dd", null, say("key." + key)))),
        h("div", null, h("dt", null, h("kbd", null, "1"), "–", h("kbd", null, "9")), h("dd", null, say("help.answers"))),
        h("div", null, h("dt", null, h("kbd", null, "?")), h("dd", null, say("help.this")))),
      live.status.simulated && h("p", null, say("help.cards")),
      h("label", { class: "check" }, h("input", { type: "checkbox", "data-shortcuts": "", checked: shortcuts.on }), say("help.on"))];
  },
  rename(live) {
    const s = live.view.seats.find(s => s.id === now.seat);
    return [say("seat.rename"), h("form", { "data-rename": now.seat, method: "dialog", class: "rename", style: palette(s?.colour ?? "#888888") }, shape(shapesOf(live.view)[now.seat]),
      h("input", { name: "name", value: s?.name ?? "", maxlength: 24, required: true, autofocus: true, autocomplete: "off", "aria-label": say("begin.name", { seat: say("seat." + now.seat) }) }),
      h("button", { type: "submit", class: "answer" }, say("page.ok")))];
  },
  cards: () => page(now.cards),
  learn: lessonPage,
  line: () => [say("menu.line"), h("p", null, say("line.how")), h("form", { "data-line": "", method: "dialog", class: "rename" },
    h("input", { name: "line", required: true, autofocus: true, autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder: acting() + " set score 7", "aria-label": say("menu.line") }), h("button", { type: "submit", class: "answer" }, say("page.ok")))],
};

// figures of a part that tells them: what a maker looks at.
function figures(p) {
  const said = [p.firmware,
    p.last_good && say("health.good", { time: new Date(p.last_good).toLocaleTimeString(document.documentElement.lang) }),
    p.error_rate > 0 && say("health.errors", { n: Math.max(1, Math.round(p.error_rate * 100)) }),
    p.resets && say("health.resets", { n: p.resets })].filter(Boolean);
  return said.length ? h("small", null, said.join(" · ")) : null;
}

function match(live, m) {
  const when = new Date(m.begin), title = app.games?.find(g => g.name === m.game)?.title ?? m.game;
  const open = m.state === "unfinished" || m.state === "playing";
  return h("li", { "data-k": m.id },
    h("div", null, h("b", null, title), h("span", null, when.toLocaleString(language.now, { dateStyle: "medium", timeStyle: "short" })),
      h("span", { class: "who" }, m.seats.map(p => h("span", { class: "player" + ((m.winners ?? []).includes(p.seat) ? " winner" : "") }, shape(shapeOf(p.seat)), p.name || say("seat." + p.seat)))),
      h("em", { class: m.state }, say("matches." + m.state), m.reason ? " · " + m.reason : "")),
    h("div", { class: "do" },
      open && m.id !== live.view.match && button({ "data-do": "resume", "data-match": m.id, disabled: !live.writes }, say("menu.resume")),
      h("a", { href: "/api/journal?match=" + encodeURIComponent(m.id), target: "_blank" }, say("matches.journal"))));
}
