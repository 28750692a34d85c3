// The page with all matches that were played.

import * as actions from "./actions/history.js";
import { followTable } from "./actions/shell.js";
import { page } from "./page.js";
import { past } from "./parts/past.js";
import { say } from "./words.js";

page(() => say("past.title"), past, actions);
actions.start(followTable());
