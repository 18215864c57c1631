// What of this folder other parts of the page show.
export { BoardView } from "./view.js";
export { NextCard } from "./next-card.js";
export { RunView } from "./run.js";
