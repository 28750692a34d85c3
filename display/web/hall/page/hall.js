// The page with all tables of a hall.

import * as actions from "./actions/hall.js";
import { follow } from "./behave/rotate.js";
import { page } from "./page.js";
import { hall } from "./parts/hall.js";
import { stream } from "./stream.js";
import { say } from "./words.js";

page(() => say("hall.title"), hall, actions, follow);
actions.start();
stream(actions);
