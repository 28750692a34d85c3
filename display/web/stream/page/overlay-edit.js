// The page where a streamer puts the overlay together. Every choice is a
// parameter of the overlay's address.

import * as actions from "./actions/edit.js";
import { frame, lost } from "./actions/watch.js";
import { page } from "./page.js";
import { editor } from "./parts/editor.js";
import { stream } from "./stream.js";
import { say } from "./words.js";

page(() => say("edit.title"), editor, actions);
actions.start();
stream({ frame, lost });
