// Draws the panel that stands open beside the text. The focus goes into it, and back to the text when it closes.
import { Popover } from "@base-ui/react/popover";
import { useMemo, useSyncExternalStore } from "react";
import styles from "./PanelHost.module.css";
import type { Panels } from "./panels";
import type { Session } from "./session";

export function PanelHost({ session, panels }: { session: Session; panels: Panels }) {
  const panel = useSyncExternalStore(panels.subscribe, panels.get);
  const anchor = useMemo(
    () =>
      panel && {
        getBoundingClientRect: () => {
          const { left, top, right, bottom } = panel.anchor();
          return new DOMRect(left, top, right - left, bottom - top);
        },
      },
    [panel],
  );
  if (!panel) return null;
  const close = () => {
    panels.close();
    session.view.focus();
  };
  return (
    <Popover.Root open onOpenChange={(open) => !open && panels.close()}>
      <Popover.Portal>
        <Popover.Positioner
          anchor={anchor}
          side="bottom"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          className={styles.positioner}
        >
          <Popover.Popup className={styles.popup} aria-label={panel.label} finalFocus={() => session.view.dom}>
            {panel.body(close)}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
