// The page where labels for cards are chosen and printed.

import * as actions from "./actions/labels.js";
import { followTable } from "./actions/shell.js";
import { page } from "./page.js";
import { labels } from "./parts/labels.js";
import { say } from "./words.js";

page(() => say("labels.title"), labels, actions);
actions.start();
followTable();
