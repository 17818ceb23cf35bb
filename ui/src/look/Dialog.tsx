// A question or a small form on top of the screen. The focus stays in it, Escape and a click beside it close it, and
// what had the focus before gets it back (Base UI).
import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode, RefObject } from "react";
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
  // What gets the focus first; without it, the first thing that can.
  initialFocus?: RefObject<HTMLElement | null>;
};

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
}: Props) {
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup className={classes[shape]} {...(initialFocus ? { initialFocus } : {})}>
          <header className={styles.head}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            <Base.Close render={<IconButton label={t("look.close")}><X /></IconButton>} />
          </header>
          {description && <Base.Description className={styles.description}>{description}</Base.Description>}
          {children && <div className={styles.body}>{children}</div>}
          {actions && <footer className={styles.actions}>{actions}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
