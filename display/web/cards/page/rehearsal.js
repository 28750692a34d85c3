// The page that plays a card, to see what it does: the table page, with a match that
// nobody keeps.

import { start } from "./actions/rehearsal.js";
import { giveFocus, keepFocus } from "./behave/focus.js";
import { follow, listen } from "./behave/rehearsal.js";
import { draw, dress } from "./dom.js";
import { arena } from "./parts/arena.js";
import { aloud, prompt } from "./parts/prompt.js";
import { heading, notice } from "./parts/rehearsal.js";
import { side } from "./parts/side.js";
import { tray } from "./parts/tray.js";
import { drawWith } from "./store.js";
import { say } from "./words.js";

const at = id => document.getElementById(id);

drawWith(state => {
  dress(state);
  document.title = say("rehearsal.title") + " · " + say("page.title");
  const back = keepFocus();
  draw(at("bar"), heading(state));
  draw(at("notes"), notice(state));
  if (!state.live) return;
  draw(at("ask"), prompt(state));
  draw(at("arena"), arena(state));
  draw(at("side"), side(state));
  draw(at("tray"), tray(state));
  follow();
  back();
  giveFocus(state);
  const text = aloud(state);
  if (at("aloud").textContent !== text) at("aloud").textContent = text;
});
listen();
start();
