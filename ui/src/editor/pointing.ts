// The first click into the text. A browser tells late, on a busy machine, where a click has put the cursor. ProseMirror
// puts its own cursor into the text 20 ms after it got the focus, and with that whoever types at once would write where
// the cursor was before: at the beginning of the page. So the editor is told with the press of the button, and with
// each key of where the one before has put the cursor: Enter right after Ctrl+End parts the line at its end.
import { Plugin, TextSelection } from "@tiptap/pm/state";
import { browserSelection } from "./browserSelection";

export function pointing(): Plugin {
  return new Plugin({
    props: {
      handleDOMEvents: {
        mousedown(view, event) {
          if (view.hasFocus() || event.button !== 0 || event.shiftKey || event.detail > 1) return false;
          const target = event.target instanceof Element ? event.target : null;
          if (!target || target.closest("[contenteditable]") !== view.dom) return false;
          const place = view.posAtCoords({ left: event.clientX, top: event.clientY });
          if (!place) return false;
          const $at = view.state.doc.resolve(place.pos);
          if ($at.parent.inlineContent)
            view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, place.pos)));
          return false;
        },
        keydown(view, event) {
          const moved =
            event.isComposing || /^(Shift|Control|Alt|Meta)$/.test(event.key) ? null : browserSelection(view);
          if (moved) view.dispatch(view.state.tr.setSelection(moved));
          return false;
        },
      },
    },
  });
}
