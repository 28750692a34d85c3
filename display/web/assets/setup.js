// The page on which the table's readers, keys and screens are set up. It asks the table
// once a second: what is plugged in is no part of the stream.

import { start } from "./actions/wiring.js";
import { listen } from "./behave/wiring.js";
import { draw } from "./dom.js";
import { wiring } from "./parts/wiring.js";
import { drawWith } from "./store.js";
import { say } from "./words.js";

drawWith(state => {
  document.documentElement.lang = state.lang;
  if (state.theme) document.documentElement.dataset.theme = state.theme;
  document.title = say("setup.title") + " · " + say("page.title");
  draw(document.getElementById("setup"), wiring(state));
});
listen();
start();
