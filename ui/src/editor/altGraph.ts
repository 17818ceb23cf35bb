// heldAltGraph says whether AltGr is held, which types letters on many keyboards and is seen as Ctrl and Alt.
// ProseMirror also asks about Enter and Backspace that it has found in a change of the browser's: those are plain
// events, which know no modifiers.
export const heldAltGraph = (event: KeyboardEvent): boolean =>
  "getModifierState" in event && event.getModifierState("AltGraph");
