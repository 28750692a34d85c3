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
import { draw } from "./dom.js";
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
  root.lang = state.lang;
  if (state.theme) root.dataset.theme = state.theme;
  else delete root.dataset.theme;
  const back = keepFocus();
  at("skip").textContent = say("page.skip");
  draw(at("bar"), bar(state));
  draw(at("notes"), notes(state));
  if (state.live) table(state);
  back();
  modal.follow(state);
  toast.follow();
  moment.follow(state);
  further.follow();
  tip.hint();
  if (state.live) scroll.toAsked(state.live.view);
  own.follow(state);
  giveFocus(state);
  if (state.live) document.body.dataset.seq = state.live.view.seq;
}

function table(state) {
  const { view } = state.live;
  document.title = (view.title ? view.title + " · " : "") + say("page.title");
  document.body.toggleAttribute("data-away", state.lost);
  rest(state.lost);
  document.body.dataset.pointed = state.pointed && 1 + state.pointed % 2;
  document.body.dataset.state = view.match === null ? "empty" : view.winners.length ? "over" : "play";
  if (mine()) document.body.dataset.mine = mine();
  else delete document.body.dataset.mine;
  draw(at("ask"), prompt(state));
  draw(at("arena"), arena(state));
  draw(at("side"), side(state));
  draw(at("tray"), tray(state));
  scroll.toHand();
  if (state.dialog) {
    const [title, inside] = titled(state);
    at("dialog").setAttribute("aria-label", title);
    draw(at("dialog"), inside);
  }
  draw(at("news"), news(state));
  const text = aloud(state);
  if (at("aloud").textContent !== text) at("aloud").textContent = text;
}

drawWith(page);
for (const { listen } of [act, drag, further, keyboard, mend, modal, moment, own, room, scroll, tip]) listen();
actions.start();
stream({ frame, lost, picture });
