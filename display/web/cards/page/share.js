// The page on which owners share their card files.

import * as actions from "./actions/exchange.js";
import { frame, lost, start } from "./actions/watch.js";
import { h } from "./dom.js";
import { page } from "./page.js";
import { exchange } from "./parts/exchange.js";
import { stream } from "./stream.js";
import { say } from "./words.js";

page(() => say("exchange.title"), state => state.live && [
  state.lost && h("p", { class: "trouble", role: "status", "data-k": "lost" }, say("page.away")),
  h("h1", null, say("exchange.title")),
  h("div", { id: "exchange" }, exchange(state))], actions);
start();
actions.begin();
stream({ frame, lost });
