// The page that replays a match: the table page, at any moment of the match.

import { start } from "./actions/replay.js";
import { listen } from "./behave/replay.js";
import { draw, dress, mark } from "./dom.js";
import { arena } from "./parts/arena.js";
import { caption, film, heading, log, warning } from "./parts/replay.js";
import { drawWith } from "./store.js";
import { say } from "./words.js";

const at = id => document.getElementById(id);

drawWith(state => {
  dress(state);
  draw(at("bar"), heading(state));
  draw(at("notes"), warning(state));
  document.title = say("replay.title") + " · " + say("page.title");
  if (!state.live) return;
  draw(at("ask"), caption(state));
  mark(at("arena"), "data-still", state.replay.still ? "" : null);
  draw(at("arena"), arena(state));
  drawLog(state);
  draw(at("film"), film(state));
});

const RESTS = 100; // milliseconds

let waiting = 0;

// drawLog draws the log once the slider rests: nobody reads while it moves.
function drawLog(state) {
  clearTimeout(waiting);
  if (!state.replay.still) return draw(at("side"), log(state));
  waiting = setTimeout(() => draw(at("side"), log(state)), RESTS);
}

listen();
start();
