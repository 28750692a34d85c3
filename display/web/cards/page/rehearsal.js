// The page that plays a card, to see what it does: the table page, with a match that
// nobody keeps.

import * as actions from "./actions/rehearsal.js";
import { keepFocus } from "./behave/focus.js";
import { idle, presses } from "./behave/idle.js";
import { draw, dress } from "./dom.js";
import { arena } from "./parts/arena.js";
import { aloud, ask } from "./parts/ask.js";
import { band } from "./parts/band.js";
import { hand } from "./parts/card.js";
import { log, over } from "./parts/opened.js";
import { heading, notice } from "./parts/rehearsal.js";
import { paint, paletteOf } from "./seats.js";
import { drawWith, question } from "./store.js";
import { say } from "./words.js";

const at = id => document.getElementById(id);

drawWith(state => {
  dress(state);
  document.title = say("rehearsal.title") + " · " + say("page.title");
  const back = keepFocus();
  draw(at("bar"), heading(state));
  draw(at("notes"), notice(state));
  if (!state.live) return;
  const { view } = state.live;
  paint(at("ask"), paletteOf(view, question(view)?.seat));
  paint(at("hand"), paletteOf(view, state.hand.seat));
  draw(at("ask"), ask(state));
  draw(at("track"), band(state.live));
  draw(at("arena"), arena(state));
  draw(at("log"), log(state));
  draw(at("hand"), hand(state));
  draw(at("sheet"), over(at("sheet"))(state));
  idle(actions);
  back();
  draw(at("aloud"), aloud(state));
});
presses(actions);
actions.start();
