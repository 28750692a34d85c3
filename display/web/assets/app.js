// The table page. The stream changes the state, and every change draws each part
// into its element.

import * as actions from "./actions.js";
import { frame, lost, picture } from "./actions/frames.js";
import * as act from "./behave/act.js";
import { keepFocus, rest } from "./behave/focus.js";
import * as keyboard from "./behave/keyboard.js";
import * as own from "./behave/mine.js";
import * as modal from "./behave/modal.js";
import { draw, dress, mark } from "./dom.js";
import { arena } from "./parts/arena.js";
import { aloud, ask, news } from "./parts/ask.js";
import { band } from "./parts/band.js";
import { bar, notes, tour } from "./parts/bar.js";
import { hand, zoom } from "./parts/card.js";
import { titled } from "./parts/dialogs.js";
import { drawer } from "./parts/drawer.js";
import { end } from "./parts/end.js";
import { first } from "./parts/first.js";
import { log, over } from "./parts/opened.js";
import { tally } from "./parts/tally.js";
import { paint, paletteOf } from "./seats.js";
import { drawWith, isCounting, isOthers, mine, question, state } from "./store.js";
import { stream } from "./stream.js";
import { say } from "./words.js";

const at = id => document.getElementById(id);

const seated = state => isCounting(state.live.view) ? tally(state) : arena(state);

const playing = { ask, track: ({ live }) => band(live), arena: seated, log, hand, drawer,
  sheet: over(at("sheet")), zoom };

function page(_, changed) {
  if (state.live && changed.every(name => name === "now")) return draw(at("arena"), seated(state));
  dress(state);
  const back = keepFocus();
  draw(at("skip"), say("page.skip"));
  draw(at("bar"), bar(state));
  draw(at("notes"), notes(state));
  if (state.live) table();
  back();
  modal.follow(state);
  own.follow(state);
}

function table() {
  const { view } = state.live, { body } = document, title = (view.title ? view.title + " · " : "") + say("page.title");
  const kind = view.match === null ? "empty" : view.winners.length ? "over" : "play";
  if (document.title !== title) document.title = title;
  body.toggleAttribute("data-away", state.lost);
  rest(state.lost);
  mark(body, "data-state", kind);
  mark(body, "data-mine", mine() || null);
  mark(body, "data-quiet", isOthers(view) ? "" : null);
  mark(at("drawer"), "aria-label", say("hardware.title"));
  mark(at("skip"), "href", kind === "empty" ? "#first" : "#ask");
  paint(at("ask"), paletteOf(view, question(view)?.seat));
  paint(at("hand"), paletteOf(view, state.hand.seat));
  draw(at("first"), first(state));
  draw(at("tour"), tour(state));
  draw(at("end"), kind === "over" ? end(state) : []);
  for (const id in playing) draw(at(id), kind === "play" ? playing[id](state) : []);
  act.follow(state);
  if (state.dialog) {
    const [title, inside] = titled(state);
    mark(at("dialog"), "aria-label", title);
    draw(at("dialog"), inside);
  }
  draw(at("news"), news(state));
  draw(at("aloud"), aloud(state));
  mark(body, "data-seq", String(view.seq));
}

drawWith(page);
for (const { listen } of [act, keyboard, modal, own]) listen();
actions.start();
stream({ frame, lost, picture }, "/api/live?piles");
