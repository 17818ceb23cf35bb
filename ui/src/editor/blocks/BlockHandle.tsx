// What stands at the left of a block: a plus that puts another one below, and the handle that opens its menu and drags
// it. Where it stands is Handling's, so that nothing is drawn again while the pointer moves.
import { GripVertical, Plus } from "lucide-react";
import { useRef } from "react";
import { t } from "../../words/words";
import styles from "./BlockHandle.module.css";
import { insertBelow } from "./change";
import type { Handling } from "./handling";

export function BlockHandle({ handling }: { handling: Handling }) {
  const dragged = useRef(false);
  const { view, drag } = handling;
  const add = () => {
    if (!handling.take()) return;
    insertBelow(view.state, view.dispatch, view);
    handling.hide();
    view.focus();
  };
  return (
    <div ref={handling.attach} className={styles.handle} contentEditable={false} hidden>
      <button
        type="button"
        tabIndex={-1}
        className={styles.plus}
        aria-label={t("blocks.add")}
        title={t("blocks.add")}
        onClick={add}
        onMouseDown={(event) => event.preventDefault()}
      >
        <Plus aria-hidden />
      </button>
      <button
        type="button"
        tabIndex={-1}
        className={styles.grip}
        aria-label={t("blocks.menu")}
        title={t("blocks.menu.how")}
        onMouseDown={(event) => event.preventDefault()}
        onPointerDown={(event) => drag.down(event.nativeEvent, event.currentTarget)}
        onPointerMove={(event) => drag.move(event.nativeEvent, () => handling.take())}
        onPointerUp={() => (dragged.current = drag.up())}
        onPointerCancel={() => drag.cancel()}
        onClick={(event) => {
          if (!dragged.current && handling.take()) handling.openMenu(event.currentTarget);
          dragged.current = false;
        }}
      >
        <GripVertical aria-hidden />
      </button>
    </div>
  );
}
