// The table page. The table says what is so; this file keeps the newest
// state and has every part drawn from it.

import { draw, language, languages, live, post, say, store } from "./core.js";
import { arena } from "./arena.js";
import { ask, aloud } from "./ask.js";
import { bar, notes } from "./bar.js";
import { side } from "./side.js";
import { tray, trayAfter, follow, dragging } from "./tray.js";
import { sight } from "./more.js";
import { hint, know, reading, texts } from "./texts.js";
import { dialogs, open, redraw } from "./dialogs.js";
import { listen } from "./keys.js";

// app is all that the parts draw from.
export const app = {
  live: null,      // the newest message of the stream
  lost: false,     // whether the stream is broken
  piles: [],       // hidden cards, on a simulated table
  games: null,     // what can be played
  lifts: false,    // whether cards stay on the readers
  trouble: null,   // what the page itself has to say
  pictures: {},    // newest picture by name, as a URL
  seen: 0,         // number of the last receipt
  stale: null,     // number of the receipt that the page found when it opened
};

const at = id => document.getElementById(id);

export function render() {
  document.documentElement.lang = language.now;
  if (!app.live) {
    draw(at("bar"), bar(null));
    draw(at("notes"), notes(null));
    return;
  }
  const view = app.live.view, back = keep();
  document.title = (view.title ? view.title + " · " : "") + say("page.title");
  document.body.dataset.state = view.match === null ? "empty" : view.winners.length ? "over" : "play";
  draw(at("bar"), bar(app.live));
  draw(at("notes"), notes(app.live));
  draw(at("ask"), ask(app.live));
  draw(at("arena"), arena(app.live));
  draw(at("side"), side(app.live));
  draw(at("tray"), tray(app.live));
  trayAfter();
  redraw();
  back?.();
  hint();
  sight(view);
  const text = aloud(app.live);
  if (at("aloud").textContent !== text) at("aloud").textContent = text;
}

// keep remembers what the keyboard is on. What it returns gives the focus
// back where that was moved, and passes it on where it has gone: to the next
// card that answers, else to the first answer. A card on the table that answers
// no more has only its text to open.
function keep() {
  const on = document.activeElement;
  if (!on?.matches("#ask *, #arena *, #tray *") || !on.matches(":focus-visible")) return null;
  const place = on.closest(".hand, .heaps") && [...on.parentNode.children].indexOf(on);
  const asked = on.matches(".plate.wanted");
  return () => {
    const gone = asked && !on.matches(".wanted"), focus = document.activeElement;
    if (focus !== document.body && focus !== null && !(gone && focus === on)) return;
    if (!gone && on.isConnected && on.matches("button:not(:disabled), input, [tabindex]")) return on.focus();
    const cards = ["#tray button.card.wanted", "#arena button.plate.wanted:not(:disabled)"].flatMap(s => [...document.querySelectorAll(s)]);
    const next = cards.find(c => place !== null && [...c.parentNode.children].indexOf(c) >= place);
    (next ?? cards[0] ?? document.querySelector("#ask button.answer:not(:disabled)"))?.focus();
  };
}

export async function get(path) {
  const answer = await fetch(path, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(path);
  return answer.json();
}

let asking = 0;

// hands fetches the hidden cards of a simulated table, for those who hold
// them.
export async function hands() {
  if (!app.live.status.simulated || !app.live.writes) return;
  const mine = ++asking, lang = language.now;
  try {
    const piles = await get("/api/piles?lang=" + lang);
    if (mine !== asking) return;
    app.piles = piles;
    for (const p of piles) for (const c of p.cards) know(lang, c.id.split(".")[0], c.name, c.does ?? "");
    render();
  } catch { /* the next frame asks again */ }
}

export async function loadGames() {
  try {
    app.games = await get("/api/games?lang=" + language.now);
    app.lifts = app.games.find(g => g.name === app.live?.view.game)?.lifts ?? false;
    render();
  } catch { app.games ??= []; }
}

let drawn = 0;

// picture swaps an image once the new one is there, so that it never flickers.
function picture(name) {
  const url = "/" + name + ".png?" + ++drawn, image = new Image();
  image.onload = () => { app.pictures[name] = url; app.pictures[name + "Size"] = [image.naturalWidth, image.naturalHeight]; render(); };
  image.src = url;
}

const later = {};
function pictures() {
  for (const name of app.live.pictures) {
    clearTimeout(later[name]);
    picture(name);
    later[name] = setTimeout(() => picture(name), 2500); // e-paper takes its time
  }
}

// act sends something to the table. What the table answers comes with the
// next frame; what the page must say itself stays until the next act.
export async function act(path, body) {
  const trouble = await post(path, body);
  // A refusal is in the frame too, unless it came of what no frame tells.
  app.trouble = trouble && !(trouble.status === 409 && (path !== "/api/match" || app.live?.status.receipt?.text === trouble.text)) ? trouble.text : null;
  if (app.live) render();
  return trouble;
}

export const input = line => act("/api/input", { input: line });
export const order = body => act("/api/match", body);

// press is a key of a seat: on a simulated table the key itself, else what
// the key means.
export const press = (seat, key) => app.live.status.simulated ? act("/api/press", { seat, key }) :
  input(key === "undo" || key === "redo" ? `${seat} ${key}` : `${seat} key ${key}`);

export function choose(lang) {
  language.wish = language.now = lang;
  store.set("lang", lang);
  const here = new URL(location.href);
  here.searchParams.delete("lang");
  history.replaceState(null, "", here);
  render();
  stream.reopen();
  loadGames();
}

export function theme(name) {
  store.set("theme", name);
  if (name) document.documentElement.dataset.theme = name;
  else delete document.documentElement.dataset.theme;
  render();
}

const wished = new URLSearchParams(location.search).get("theme") || store.get("theme");
if (wished) document.documentElement.dataset.theme = wished;

let game = null;
const stream = live({
  frame(message, first) {
    app.live = message;
    app.lost = false;
    const n = message.status.receipt?.n ?? 0;
    if (first) app.stale = n;
    else if (n !== app.seen) app.trouble = null;
    app.seen = n;
    follow(message);
    texts();
    render();
    hands();
    pictures();
    if (app.games === null || message.view.game !== game) loadGames();
    game = message.view.game;
  },
  picture,
  lost(is) {
    if (app.lost === is) return;
    app.lost = is;
    render();
  },
});

dialogs();
listen();
dragging();
reading();
render();

// One listener for all buttons: their attributes say what they do.
document.addEventListener("click", e => {
  const button = e.target.closest("[data-input], [data-press], [data-do], [data-lang], [data-open], [data-theme-set]");
  if (!button || button.disabled || button.getAttribute("aria-disabled") === "true") return;
  const d = button.dataset;
  if (d.input) input(d.input);
  else if (d.press) press(d.seat, d.press);
  else if (d.do) order({ do: d.do, ...(d.match ? { match: d.match } : {}) });
  else if (d.lang && languages.includes(d.lang)) choose(d.lang);
  else if (d.themeSet !== undefined) theme(d.themeSet);
  else if (d.open) open(d.open, button);
});
