// The page about the table's own certificate. It needs no stream: phones read it
// over plain HTTP, where nothing else answers.

import { start } from "./actions/watch.js";
import { draw } from "./dom.js";
import { trust } from "./parts/trust.js";
import { drawWith, state } from "./store.js";
import { say } from "./words.js";

drawWith(() => {
  document.documentElement.lang = state.lang;
  document.title = say("trust.title") + " · " + say("page.title");
  draw(document.getElementById("trust"), trust(location.host, document.body.dataset.fingerprint));
});
start();
