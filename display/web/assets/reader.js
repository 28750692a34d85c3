// The page that makes a phone or a laptop a reader of a seat: it reads codes with its
// camera, and tags where the browser can.

import { start } from "./actions/reader.js";
import { frame, lost } from "./actions/watch.js";
import { listen, stayAwake } from "./behave/mine.js";
import { follow, switches } from "./behave/reader.js";
import { page } from "./page.js";
import { reader } from "./parts/reader.js";
import { stream } from "./stream.js";
import { say } from "./words.js";

page(() => say("reader.title"), state => reader(state, window), switches, state => {
  follow(state);
  stayAwake();
});
listen();
start();
stream({ frame, lost });
