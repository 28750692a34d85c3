// The page that makes a phone or a laptop a reader of a seat: it reads codes with its
// camera, and tags where the browser can.

import { frame, lost, start } from "./actions/reader.js";
import { stayAwake } from "./behave/mine.js";
import { follow, listen } from "./behave/reader.js";
import { draw } from "./dom.js";
import { reader } from "./parts/reader.js";
import { drawWith } from "./store.js";
import { stream } from "./stream.js";
import { say } from "./words.js";

drawWith(state => {
  const root = document.documentElement;
  root.lang = state.lang;
  if (state.theme) root.dataset.theme = state.theme;
  document.title = say("reader.title") + " · " + say("page.title");
  draw(document.getElementById("reader"), reader(state, window));
  follow(state);
  stayAwake();
});
listen();
start();
stream({ frame, lost });
