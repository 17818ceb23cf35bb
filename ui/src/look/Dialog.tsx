// A question or a small form on top of the screen. The focus stays in it, Escape and a click beside it close it, and
// what had the focus before gets it back (Base UI).
import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type ReactNode, type RefObject, useRef } from "react";
import { t } from "../words/words";
import { IconButton } from "./Button";
import styles from "./Dialog.module.css";

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  // Buttons at the foot, the main one last.
  actions?: ReactNode;
  // "sheet" comes from the side of the first letter, on any screen, "panel" from the other; "centre" is the usual
  // dialog, "large" a wider one.
  shape?: "centre" | "large" | "sheet" | "panel";
  // What gets the focus first; without it, the first field, so that one can type at once, or else the first thing that
  // can.
  initialFocus?: RefObject<HTMLElement | null>;
  // What gets the focus when it closes, where what had it before is not the right one.
  finalFocus?: RefObject<HTMLElement | null> | undefined;
};

// fields are what is typed into or chosen from. On a touch screen none gets the focus by itself: the keyboard would
// cover it.
const fields = ["input:not([type=checkbox], [type=radio], [type=file], [type=hidden])", "textarea", "select"]
  .map((each) => `${each}:not(:disabled)`)
  .concat("[contenteditable=true]")
  .join();

const classes = {
  centre: styles.centre,
  large: `${styles.centre} ${styles.large}`,
  sheet: styles.sheet,
  panel: `${styles.sheet} ${styles.panel}`,
};

export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  actions,
  shape = "centre",
  initialFocus,
  finalFocus,
}: Props) {
  const popup = useRef<HTMLDivElement>(null);
  const first = (how: string) => (how === "touch" ? true : (popup.current?.querySelector<HTMLElement>(fields) ?? true));
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup ref={popup} className={classes[shape]} initialFocus={initialFocus ?? first} finalFocus={finalFocus}>
          <header className={styles.head}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            <Base.Close
              render={
                <IconButton label={t("look.close")}>
                  <X />
                </IconButton>
              }
            />
          </header>
          {description && <Base.Description className={styles.description}>{description}</Base.Description>}
          {children && <div className={styles.body}>{children}</div>}
          {actions && <footer className={styles.actions}>{actions}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
