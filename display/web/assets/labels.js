// The page where labels for cards are chosen and printed.

import { start } from "./actions/labels.js";
import { listen } from "./behave/choices.js";
import { draw } from "./dom.js";
import { labels } from "./parts/labels.js";
import { drawWith } from "./store.js";
import { say } from "./words.js";

drawWith(state => {
  const root = document.documentElement;
  root.lang = state.lang;
  if (state.theme) root.dataset.theme = state.theme;
  document.title = say("labels.title") + " · " + say("page.title");
  draw(document.getElementById("labels"), labels(state));
});
listen();
start();
