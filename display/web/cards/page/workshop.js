// The page for the owner's cards: the box of a game, and a form for each card.

import { watchTags } from "./actions/workshop-tags.js";
import { frame, start } from "./actions/workshop.js";
import { lost } from "./actions/watch.js";
import { actions, follow, listen } from "./behave/workshop.js";
import { page } from "./page.js";
import { workshop } from "./parts/workshop.js";
import { stream } from "./stream.js";
import { say } from "./words.js";

page(() => say("cards.title"), workshop, actions, follow);
listen();
start().then(() => stream({ frame: live => frame(live).then(watchTags), lost }));
