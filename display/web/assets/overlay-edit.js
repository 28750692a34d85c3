// The page where a streamer puts the overlay together. Every choice is a
// parameter of the overlay's address.

import { frame, start } from "./actions/edit.js";
import { listen } from "./behave/fields.js";
import { draw } from "./dom.js";
import { editor } from "./parts/editor.js";
import { drawWith } from "./store.js";
import { stream } from "./stream.js";
import { say } from "./words.js";

drawWith(state => {
  const root = document.documentElement;
  root.lang = state.lang;
  if (state.theme) root.dataset.theme = state.theme;
  document.title = say("edit.title") + " · " + say("page.title");
  draw(document.getElementById("edit"), editor(state));
});
listen();
start();
stream({ frame });
