// The table page. The stream changes the state, and every change draws each part
// into its element.

import * as actions from "./actions.js";
import { frame, lost, picture } from "./actions/frames.js";
import * as act from "./behave/act.js";
import * as drag from "./behave/drag.js";
import { giveFocus, keepFocus, rest } from "./behave/focus.js";
import * as keyboard from "./behave/keyboard.js";
import * as own from "./behave/mine.js";
import * as modal from "./behave/modal.js";
import * as point from "./behave/point.js";
import * as pointer from "./behave/tour.js";
import { draw, mark } from "./dom.js";
import { arena } from "./parts/arena.js";
import { aloud, ask, news } from "./parts/ask.js";
import { band } from "./parts/band.js";
import { bar, notes } from "./parts/bar.js";
import { titled } from "./parts/dialogs.js";
import { drawer } from "./parts/drawer.js";
import { end } from "./parts/end.js";
import { first } from "./parts/first.js";
import { hand } from "./parts/hand.js";
import { log } from "./parts/log.js";
import { opened } from "./parts/opened.js";
import { tour } from "./parts/tour.js";
import { tally } from "./parts/tally.js";
import { zoom } from "./parts/zoom.js";
import { paint } from "./seats.js";
import { drawWith, isCounting, isOthers, mine, question, state } from "./store.js";
import { stream } from "./stream.js";
import { say } from "./words.js";

const root = document.documentElement, at = id => document.getElementById(id);

// seated draws the seats: with what lies before them, or with what they count.
const seated = () => isCounting(state.live.view) ? tally(state) : arena();

// page draws what has changed.
function page(_, changed) {
  if (state.live && changed.every(name => name === "now")) return draw(at("arena"), seated());
  mark(root, "lang", state.lang);
  mark(root, "data-theme", state.theme || null);
  const back = keepFocus();
  draw(at("skip"), say("page.skip"));
  draw(at("bar"), bar(state));
  draw(at("notes"), notes(state));
  if (state.live) table();
  back();
  modal.follow(state);
  own.follow(state);
  pointer.follow(state);
  giveFocus(state);
}

function table() {
  const { view } = state.live, { body } = document, title = (view.title ? view.title + " · " : "") + say("page.title");
  const kind = view.match === null ? "empty" : view.winners.length ? "over" : "play";
  if (document.title !== title) document.title = title;
  body.toggleAttribute("data-away", state.lost);
  rest(state.lost);
  mark(body, "data-state", kind);
  mark(body, "data-game", view.game?.split("/")[0] ?? null);
  mark(body, "data-seats", String(view.seats.length));
  mark(body, "data-mine", mine() || null);
  mark(at("drawer"), "aria-label", say("hardware.title"));
  mark(body, "data-quiet", isOthers(view) ? "" : null);
  paint(at("ask"), view, question(view)?.seat);
  paint(at("hand"), view, state.hand.seat);
  mark(at("skip"), "href", kind === "empty" ? "#first" : "#ask");
  draw(at("first"), first(state));
  draw(at("tour"), tour(state));
  draw(at("end"), kind === "over" ? end(state) : []);
  draw(at("ask"), kind === "play" ? ask(state) : []);
  if (kind === "play") {
    draw(at("track"), band(state.live));
    draw(at("arena"), seated());
    draw(at("log"), log(state));
    draw(at("hand"), hand(state));
    draw(at("drawer"), drawer(state));
    over(opened(state));
    draw(at("zoom"), zoom(state));
    point.follow(state);
  } else for (const id of ["ask", "track", "arena", "log", "hand", "drawer", "sheet"]) draw(at(id), []);
  if (state.dialog) {
    const [title, inside] = titled(state);
    mark(at("dialog"), "aria-label", title);
    draw(at("dialog"), inside);
  }
  draw(at("news"), news(state));
  const text = aloud(state);
  if (at("aloud").textContent !== text) at("aloud").textContent = text;
  mark(body, "data-seq", String(view.seq));
}

function over({ name = "", style, inside = [] }) {
  mark(at("sheet"), "class", name);
  for (const c of ["--seat", "--on-seat"]) at("sheet").style.setProperty(c, style?.[c] ?? "");
  draw(at("sheet"), inside);
}

drawWith(page);
for (const { listen } of [act, drag, keyboard, modal, own, point, pointer]) listen();
actions.start();
stream({ frame, lost, picture }, "/api/live?piles");
