// The live stream. It stays open for as long as the page is; after every
// connection the table sends the whole state first.

import { state } from "./store.js";

let on = {};      // what to call: frame(message, first), picture(name), lost(is)
let source;       // the connection
let heard = 0;    // when it said something last
let again;        // the timer of the next try
let delay = 500;  // before it, in milliseconds

// stream opens the stream and keeps it open.
export function stream(handlers) {
  on = handlers;
  // A sleeping phone keeps a dead connection without noticing.
  setInterval(() => { if (Date.now() - heard > 40000) connect(); }, 5000);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && Date.now() - heard > 20000) connect();
  });
  connect();
}

// connect opens the stream anew, in the language that is asked for now.
export function connect() {
  clearTimeout(again);
  source?.close();
  let first = true;
  const mine = source = new EventSource("/api/live" + (state.wish ? "?lang=" + state.wish : ""));
  const hear = (name, f) => mine.addEventListener(name, e => {
    if (mine !== source) return;
    heard = Date.now();
    f(e);
  });
  hear("open", () => { delay = 500; });
  hear("beat", () => {});
  hear("frame", e => {
    const message = JSON.parse(e.data);
    complete(message.view);
    on.frame(message, first);
    first = false;
  });
  hear("picture", e => on.picture?.(e.data));
  mine.onerror = () => {
    if (mine !== source) return;
    on.lost?.(true);
    mine.close();
    again = setTimeout(connect, delay);
    delay = Math.min(delay * 1.6, 5000);
  };
  heard = Date.now();
}

// complete gives a view the lists that a careless game has left out.
function complete(view) {
  for (const list of ["seats", "tracks", "dice", "prompts", "winners", "notices"]) view[list] ??= [];
  for (const t of view.tracks) { t.areas ??= []; t.stacks ??= {}; }
  for (const p of view.prompts) p.options ??= [];
}
