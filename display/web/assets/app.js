// The table page. The stream changes the state, and every change draws each part
// into its element.

import * as actions from "./actions.js";
import { frame, lost, picture } from "./actions/frames.js";
import * as act from "./behave/act.js";
import * as drag from "./behave/drag.js";
import * as further from "./behave/further.js";
import { giveFocus, keepFocus, rest } from "./behave/focus.js";
import * as keyboard from "./behave/keyboard.js";
import * as mend from "./behave/mend.js";
import * as own from "./behave/mine.js";
import * as modal from "./behave/modal.js";
import * as moment from "./behave/moment.js";
import * as room from "./behave/room.js";
import * as scroll from "./behave/scroll.js";
import * as tip from "./behave/tip.js";
import * as toast from "./behave/toast.js";
import { draw, mark } from "./dom.js";
import { arena } from "./parts/arena.js";
import { bar, notes } from "./parts/bar.js";
import { clock, faces } from "./parts/clock.js";
import { titled } from "./parts/dialogs.js";
import { aloud, news, prompt } from "./parts/prompt.js";
import { figures, side } from "./parts/side.js";
import { tray } from "./parts/tray.js";
import { drawWith, mine } from "./store.js";
import { stream } from "./stream.js";
import { say } from "./words.js";

const root = document.documentElement, at = id => document.getElementById(id);

// What changes often, and the only part that shows it: the strip's picture four times
// a second, the clock, and a card on a reader just before the table answers.
const alone = { pictures: ["hardware", figures], now: ["clock", faces], onReader: ["tray", tray] };

// page draws what has changed.
function page(state, changed) {
  if (state.live && changed.every(name => alone[name] && at(alone[name][0]))) {
    return changed.forEach(name => draw(at(alone[name][0]), alone[name][1](state)));
  }
  mark(root, "lang", state.lang);
  mark(root, "data-theme", state.theme || null);
  const back = keepFocus();
  draw(at("skip"), say("page.skip"));
  draw(at("bar"), bar(state));
  draw(at("notes"), notes(state));
  if (state.live) table(state);
  back();
  modal.follow(state);
  toast.follow();
  moment.follow(state);
  own.follow(state);
  if (state.live) mark(document.body, "data-seq", String(state.live.view.seq));
  // From here on the page is measured, and little is changed: each change before a
  // measure costs another layout.
  if (state.live) scroll.toHand();
  if (state.live) scroll.toAsked(state.live.view);
  further.follow();
  tip.hint();
  giveFocus(state);
}

function table(state) {
  const { view } = state.live;
  const title = (view.title ? view.title + " · " : "") + say("page.title"), { body } = document;
  if (document.title !== title) document.title = title;
  body.toggleAttribute("data-away", state.lost);
  rest(state.lost);
  mark(body, "data-pointed", String(state.pointed && 1 + state.pointed % 2));
  mark(body, "data-state", view.match === null ? "empty" : view.winners.length ? "over" : "play");
  mark(body, "data-mine", mine() || null);
  draw(at("ask"), prompt(state));
  draw(at("arena"), arena(state));
  draw(at("side"), side(state));
  draw(at("tray"), tray(state));
  if (state.dialog) {
    const [title, inside] = titled(state);
    mark(at("dialog"), "aria-label", title);
    draw(at("dialog"), inside);
  }
  draw(at("news"), news(state));
  const text = aloud(state);
  if (at("aloud").textContent !== text) at("aloud").textContent = text;
}

drawWith(page);
for (const { listen } of [act, drag, further, keyboard, mend, modal, moment, own, room, scroll, tip]) listen();
actions.start();
stream({ frame, lost, picture }, "/api/live?piles");
