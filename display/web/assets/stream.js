// The live stream. It stays open as long as the page. On every new connection
// the table first sends the whole state.

import { state } from "./store.js";

let handlers = {};   // callbacks: frame(message, first), tables(message, first), evening(message),
                     // picture(name), lost(is)
let from = "";       // the path of the stream
let source;          // aborts the connection
let age = 0;         // of the clock in the next frame, in milliseconds
let hiddenAt = 0;    // when the page was hidden last
let retry;           // the timer of the next try
let everOpened = false;
let failures = 0;    // tries since a connection last opened
let resting = false; // whether the connection is closed because nobody sees the page
const since = new Set(); // the pages of this browser that were opened since this one was hidden

// A browser opens at most six connections to a table, and everything further waits without
// end. So a page that nobody sees closes its stream when there are two newer ones: there are
// never more streams than two and those of visible pages.
const MOST_NEWER = 2;
const id = Math.random();

// In milliseconds. The table sends a beat every 7 s. After a loss, up to five idle
// connections of the browser may be as dead as the stream was: tries that use them end soon.
const [SILENCE, ANSWER, REUSED_ANSWER, MOST_REUSED] = [16000, 5000, 1200, 5];
let channel = null; // connects the pages of a browser
try { channel = new BroadcastChannel("streams"); } catch { /* this browser has none */ }

export function stream(callbacks, path = "/api/live") {
  [handlers, from] = [callbacks, path];
  channel?.addEventListener("message", e => {
    if (document.hidden && !resting && since.add(e.data).size >= MOST_NEWER) rest();
  });
  // When a phone wakes, or the network is back, a new connection is made at once.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) hiddenAt = Date.now();
    else if (resting || state.lost || Math.abs(Date.now() - hiddenAt) > 3000) open();
    since.clear();
  });
  addEventListener("online", () => { if (!resting) connect(); });
  addEventListener("pagehide", rest);
  addEventListener("pageshow", e => { if (e.persisted) open(); });
  open();
}

function open() {
  channel?.postMessage(id);
  connect();
}

function rest() {
  resting = true;
  clearTimeout(retry);
  source.abort();
}

export function turnTo(path) {
  from = path;
  connect();
}

export function connect() {
  resting = false;
  clearTimeout(retry);
  source?.abort();
  const opened = source = new AbortController(), began = performance.now();
  let first = true, silence;
  const lose = () => {
    clearTimeout(silence);
    if (opened.signal.aborted) return;
    opened.abort();
    handlers.lost?.(true);
    const pause = Math.min(400 * 1.3 ** failures++, 5000) * (0.7 + 0.3 * Math.random());
    retry = setTimeout(connect, began + pause - performance.now());
  };
  const expect = within => {
    clearTimeout(silence);
    silence = setTimeout(lose, within);
  };
  const take = (name, data) => {
    if (opened.signal.aborted) return;
    if (name === "clock") age = Number(data);
    if (name === "picture") handlers.picture?.(data);
    if (name === "evening") handlers.evening(JSON.parse(data));
    if (name !== "frame" && name !== "tables") return;
    const message = JSON.parse(data);
    if (name === "frame") complete(message.view);
    handlers[name](name === "frame" ? { ...message, age } : message, first);
    first = false;
  };
  expect(everOpened && failures <= MOST_REUSED ? REUSED_ANSWER : ANSWER);
  const query = state.requestedLang && (from.includes("?") ? "&" : "?") + "lang=" + state.requestedLang;
  read(from + query, opened.signal, take, () => {
    [everOpened, failures] = [true, 0];
    expect(SILENCE);
  }).then(lose, lose);
}

// read hands on the events of a stream until it ends, and calls heard for each piece that
// comes. EventSource would do this, but it tells nobody that no answer comes, and keeps a
// connection that is dead.
async function read(path, signal, take, heard) {
  const answer = await fetch(path, { signal, headers: { Accept: "text/event-stream" } });
  if (!answer.ok) throw new Error(answer.status);
  const reader = answer.body.getReader(), decoder = new TextDecoder();
  for (let rest = "";;) {
    const { done, value } = await reader.read();
    if (done) return;
    heard();
    const events = (rest + decoder.decode(value, { stream: true })).split("\n\n");
    rest = events.pop();
    // An error while the page draws is no error of the stream.
    for (const event of events) queueMicrotask(() => take(field(event, "event"), field(event, "data")));
  }
}

const field = (event, name) => event.split("\n").find(line => line.startsWith(name + ": "))?.slice(name.length + 2);

function complete(view) {
  for (const list of ["seats", "tracks", "dice", "prompts", "winners", "notices"]) view[list] ??= [];
  for (const t of view.tracks) { t.areas ??= []; t.stacks ??= {}; }
  for (const p of view.prompts) p.options ??= [];
}
