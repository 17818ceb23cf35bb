// The name of a lone icon, and the keys that do the same. A tooltip tells nothing that is not said elsewhere: fingers and
// screen readers never see it.
import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement } from "react";
import { Keys } from "./Keys";
import styles from "./Tooltip.module.css";

type Props = { label: string; keys?: string; side?: "top" | "bottom" | "left" | "right" | "inline-end"; children: ReactElement };

export function Tooltip({ label, keys, side = "bottom", children }: Props) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} className={styles.positioner}>
          <Base.Popup className={styles.popup}>
            {label}
            {keys && <Keys keys={keys} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

// TooltipProvider lets the tooltips of a row follow each other without a delay.
export const TooltipProvider = Base.Provider;
