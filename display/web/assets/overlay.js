import { draw, h, language, live, palette, seatName, shape, shapesOf } from "./core.js";
const overlay = document.getElementById("overlay");
live({ frame(m) { draw(overlay, m.view.seats.map(s => h("p", { "data-k": s.id }, s.name))); } });
