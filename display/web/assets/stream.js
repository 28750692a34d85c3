// The live stream. It stays open as long as the page. On every new connection
// the table first sends the whole state.

import { state } from "./store.js";

let handlers = {};   // callbacks: frame(message, first), tables(message, first), evening(message),
                     // picture(name), lost(is)
let from = "";       // the path of the stream
let source;          // the connection
let age = 0;         // of the clock in the next frame, in milliseconds
let lastMessage = 0; // when the last event came
let hiddenAt = 0;    // when the page was hidden last
let retry;           // the timer of the next try
let delay = 500;     // before the next try, in milliseconds
let resting = false; // whether the connection is closed because nobody sees the page
const since = new Set(); // the pages of this browser that were opened since this one was hidden

// A browser opens at most six connections to a table, and everything further waits without
// end. So a page that nobody sees closes its stream when there are two newer ones: there are
// never more streams than two and those of visible pages.
const MOST_NEWER = 2;
const id = Math.random();
const channel = channelOf("streams");

// channelOf returns what connects the pages of a browser, or null where it has none.
function channelOf(name) {
  try { return new BroadcastChannel(name); } catch { return null; }
}

// stream opens the stream and keeps it open.
export function stream(callbacks, path = "/api/live") {
  [handlers, from] = [callbacks, path];
  channel?.addEventListener("message", e => {
    if (document.hidden && !resting && since.add(e.data).size >= MOST_NEWER) rest();
  });
  // A sleeping phone keeps a dead connection without noticing.
  setInterval(() => { if (!resting && Date.now() - lastMessage > 40000) connect(); }, 5000);
  // When it wakes, or the network is back, a new connection is made at once.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) hiddenAt = Date.now();
    else if (resting || state.lost || Date.now() - hiddenAt > 3000) open();
    since.clear();
  });
  addEventListener("online", () => { if (!resting) connect(); });
  addEventListener("pageshow", e => { if (e.persisted) open(); });
  open();
}

// open makes a new connection, for which another page may have to make room.
function open() {
  channel?.postMessage(id);
  connect();
}

// rest closes the connection until somebody looks at the page.
function rest() {
  resting = true;
  clearTimeout(retry);
  source.close();
}

// turnTo follows another path from now on.
export function turnTo(path) {
  from = path;
  connect();
}

// connect opens a new connection, in the language that the user chose.
export function connect() {
  resting = false;
  clearTimeout(retry);
  source?.close();
  let first = true;
  const query = state.requestedLang && (from.includes("?") ? "&" : "?") + "lang=" + state.requestedLang;
  const opened = source = new EventSource(from + query);
  const on = (name, f) => opened.addEventListener(name, e => {
    if (opened !== source) return;
    lastMessage = Date.now();
    f(e);
  });
  on("open", () => { delay = 500; });
  on("beat", () => {});
  on("clock", e => { age = Number(e.data); });
  on("frame", e => {
    const message = { ...JSON.parse(e.data), age };
    complete(message.view);
    handlers.frame(message, first);
    first = false;
  });
  on("tables", e => {
    handlers.tables(JSON.parse(e.data), first);
    first = false;
  });
  on("evening", e => handlers.evening(JSON.parse(e.data)));
  on("picture", e => handlers.picture?.(e.data));
  opened.onerror = () => {
    if (opened !== source || resting) return;
    handlers.lost?.(true);
    opened.close();
    retry = setTimeout(connect, delay);
    delay = Math.min(delay * 1.6, 5000);
  };
  lastMessage = Date.now();
}

// complete adds the lists that a game has left out of a view.
function complete(view) {
  for (const list of ["seats", "tracks", "dice", "prompts", "winners", "notices"]) view[list] ??= [];
  for (const t of view.tracks) { t.areas ??= []; t.stacks ??= {}; }
  for (const p of view.prompts) p.options ??= [];
}
