// A menu of commands, with the keyboard of the ARIA Authoring Practices (Base UI): arrows, Home, End, type-ahead,
// Escape.
import { Menu as Base } from "@base-ui/react/menu";
import { Check, ChevronRight } from "lucide-react";
import type { ComponentProps, ReactElement, ReactNode } from "react";
import { Keys } from "./Keys";
import styles from "./Menu.module.css";

type Props = {
  // What opens it: a Button or an IconButton.
  trigger: ReactElement;
  children: ReactNode;
  side?: "top" | "bottom" | "inline-end" | "right";
  align?: "start" | "center" | "end";
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  // Whether what opened it gets the focus back; who says no sets it when the menu closes.
  returnsFocus?: boolean;
};

export function Menu({
  trigger,
  children,
  side = "bottom",
  align = "end",
  open,
  onOpenChange,
  returnsFocus = true,
}: Props) {
  return (
    <Base.Root {...(open === undefined ? {} : { open })} onOpenChange={(next) => onOpenChange?.(next)} modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner side={side} align={align} sideOffset={6} className={styles.positioner}>
          <Base.Popup className={styles.popup} finalFocus={returnsFocus}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

type AtProps = {
  // What it is, for those who listen.
  label: string;
  // What it stands beside; asked anew when the page moves.
  anchor: { getBoundingClientRect: () => DOMRect };
  children: ReactNode;
  onClose: () => void;
  // Gets the focus when it closes.
  finalFocus?: () => HTMLElement | null;
};

// MenuAt is an open menu beside a place that is no button.
export function MenuAt({ label, anchor, children, onClose, finalFocus }: AtProps) {
  return (
    <Base.Root open onOpenChange={(next) => !next && onClose()} modal={false}>
      <Base.Portal>
        <Base.Positioner
          anchor={anchor}
          side="bottom"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          className={styles.positioner}
        >
          <Base.Popup className={styles.popup} aria-label={label} {...(finalFocus ? { finalFocus } : {})}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

type ItemProps = Omit<ComponentProps<typeof Base.Item>, "className"> & {
  icon?: ReactNode;
  keys?: string;
  danger?: boolean;
};

// MenuItem does something. With render it leads elsewhere: render={<Link to="/" />}.
export function MenuItem({ icon, keys, danger = false, children, ...rest }: ItemProps) {
  return (
    <Base.Item {...rest} className={danger ? `${styles.item} ${styles.danger}` : styles.item}>
      {icon}
      <span className={styles.text}>{children}</span>
      {keys && <Keys keys={keys} />}
    </Base.Item>
  );
}

// MenuChoice is one of several, of which one is chosen; it stands in a MenuChoices.
export function MenuChoice({ value, children }: { value: string; children: ReactNode }) {
  return (
    <Base.RadioItem value={value} closeOnClick className={styles.item}>
      <span className={styles.text}>{children}</span>
      <Base.RadioItemIndicator className={styles.mark}>
        <Check />
      </Base.RadioItemIndicator>
    </Base.RadioItem>
  );
}

type ChoicesProps = { label?: string; value: string; onChange: (value: string) => void; children: ReactNode };

// MenuChoices holds choices of which one is chosen.
export function MenuChoices({ label, value, onChange, children }: ChoicesProps) {
  return (
    <Base.Group>
      {label && <Base.GroupLabel className={styles.label}>{label}</Base.GroupLabel>}
      <Base.RadioGroup value={value} onValueChange={onChange}>
        {children}
      </Base.RadioGroup>
    </Base.Group>
  );
}

// MenuGroup holds items below a name, or anything else that is no item.
export function MenuGroup({ label, children }: { label: ReactNode; children?: ReactNode }) {
  return (
    <Base.Group>
      <Base.GroupLabel className={styles.label}>{label}</Base.GroupLabel>
      {children}
    </Base.Group>
  );
}

type CheckProps = { checked: boolean; onChange: (checked: boolean) => void; icon?: ReactNode; children: ReactNode };

// MenuCheck is on or off.
export function MenuCheck({ checked, onChange, icon, children }: CheckProps) {
  return (
    <Base.CheckboxItem checked={checked} onCheckedChange={onChange} closeOnClick className={styles.item}>
      {icon}
      <span className={styles.text}>{children}</span>
      <Base.CheckboxItemIndicator className={styles.mark}>
        <Check />
      </Base.CheckboxItemIndicator>
    </Base.CheckboxItem>
  );
}

// Submenu holds further items behind one.
export function Submenu({ label, icon, children }: { label: string; icon?: ReactNode; children: ReactNode }) {
  return (
    <Base.SubmenuRoot>
      <Base.SubmenuTrigger className={styles.item}>
        {icon}
        <span className={styles.text}>{label}</span>
        <ChevronRight aria-hidden className={styles.further} />
      </Base.SubmenuTrigger>
      <Base.Portal>
        <Base.Positioner side="inline-end" align="start" sideOffset={2} className={styles.positioner}>
          <Base.Popup className={styles.popup}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.SubmenuRoot>
  );
}

export function MenuSeparator() {
  return <Base.Separator className={styles.separator} />;
}
