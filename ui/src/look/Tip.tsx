// The tooltip that shows, beside its element (Base UI places it).
import { Tooltip as Base } from "@base-ui/react/tooltip";
import { Keys } from "./Keys";
import styles from "./Tooltip.module.css";

type Props = { anchor: HTMLElement; label: string; keys: string };

export function Tip({ anchor, label, keys }: Props) {
  return (
    <Base.Root open>
      <Base.Portal>
        <Base.Positioner anchor={anchor} side="bottom" sideOffset={6} className={styles.positioner}>
          <Base.Popup className={styles.popup} data-tooltip="" aria-hidden>
            {label}
            {keys && <Keys keys={keys} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
