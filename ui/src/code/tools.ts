// What editors load when there is code to colour or to write: CodeMirror and its languages.
export { tokens } from "./highlight";
export { load } from "./languages";
export { area, placeIn } from "./area";
