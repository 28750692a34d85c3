// The page that replays a match: the table page at any moment of the match, with the film
// in the place of the hand.

import { start } from "./actions/replay.js";
import { follow, listen } from "./behave/replay.js";
import { draw, dress, mark } from "./dom.js";
import { arena } from "./parts/arena.js";
import { band } from "./parts/band.js";
import { bar, caption, film, story, told, warning } from "./parts/replay.js";
import { paint, paletteOf } from "./seats.js";
import { drawWith } from "./store.js";
import { say } from "./words.js";

const at = id => document.getElementById(id);

drawWith(state => {
  dress(state);
  draw(at("bar"), bar(state));
  draw(at("notes"), warning(state));
  document.title = say("replay.title") + " · " + say("page.title");
  if (!state.live) return;
  paint(at("ask"), paletteOf(state.live.view, told(state)));
  draw(at("ask"), caption(state));
  mark(document.body, "data-still", state.replay.still ? "" : null);
  draw(at("track"), band(state.live));
  draw(at("arena"), arena(state));
  drawLog(state);
  draw(at("film"), film(state));
  follow();
});

const RESTS = 100; // milliseconds

let waiting = 0;

// drawLog draws the log once the slider rests: nobody reads while it moves.
function drawLog(state) {
  clearTimeout(waiting);
  if (!state.replay.still) return draw(at("log"), story(state));
  waiting = setTimeout(() => draw(at("log"), story(state)), RESTS);
}

listen();
start();
