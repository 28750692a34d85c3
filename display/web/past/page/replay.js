// The page that replays a match: the seats at any moment of it, its turning points, and the film.

import { start } from "./actions/replay.js";
import { follow, listen } from "./behave/replay.js";
import { follow as putBack } from "./behave/shell.js";
import { draw, dress, mark } from "./dom.js";
import { arena } from "./parts/arena.js";
import { band, fights } from "./parts/band.js";
import { film, head, story, warning } from "./parts/replay.js";
import { shell } from "./parts/shell.js";
import { drawWith } from "./store.js";
import { say } from "./words.js";

const at = id => document.getElementById(id);

drawWith(state => {
  dress(state);
  if (state.replay.served) draw(at("shell"), shell({ ...state, live: state.table }));
  draw(at("notes"), warning(state));
  document.title = say("replay.title") + " · " + say("page.title");
  at("page").ariaLabel = say("replay.title");
  if (!state.live) return;
  mark(document.body, "data-still", state.replay.still ? "" : null);
  draw(at("head"), head(state));
  draw(at("track"), fights(state.live.view) && band(state.live));
  draw(at("arena"), arena(state));
  drawLog(state);
  draw(at("film"), film(state));
  follow();
  putBack(state);
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
