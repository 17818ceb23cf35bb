// What people press. A button does something here; what leads elsewhere is a link that looks like one: buttonClass.
import { Button as Base } from "@base-ui/react/button";
import type { ComponentProps, ReactNode } from "react";
import { t } from "../words/words";
import styles from "./Button.module.css";
import { Spinner } from "./Spinner";
import { tip } from "./Tooltip";

// The one main action of a screen is primary; quiet ones stand in rows and bars; danger takes something away.
export type ButtonKind = "primary" | "plain" | "quiet" | "danger";

export type ButtonProps = Omit<ComponentProps<"button">, "style"> & {
  kind?: ButtonKind;
  // A Lucide icon before the text.
  icon?: ReactNode;
  // While true the button waits and cannot be pressed; it keeps the focus and its width.
  busy?: boolean;
};

export function Button({
  kind = "plain",
  icon,
  busy = false,
  disabled = false,
  className,
  children,
  type = "button",
  ...rest
}: ButtonProps) {
  return (
    <Base
      {...rest}
      type={type}
      disabled={disabled || busy}
      focusableWhenDisabled={busy}
      aria-busy={busy || undefined}
      className={buttonClass(kind, className)}
    >
      {busy ? <Spinner label={t("look.busy")} /> : icon}
      {children}
    </Base>
  );
}

// buttonClass gives a link the looks of a button.
export function buttonClass(kind: ButtonKind = "plain", further?: string): string {
  return [styles.button, styles[kind], further].filter(Boolean).join(" ");
}

export type IconButtonProps = Omit<ButtonProps, "icon" | "busy" | "children" | "kind"> & {
  // What it does; read aloud, and shown in a tooltip.
  label: string;
  // The keys that do the same, as people know them: "Ctrl+K".
  keys?: string;
  children: ReactNode;
};

// IconButton is a lone icon with a name.
export function IconButton({ label, keys, className, children, type = "button", ...rest }: IconButtonProps) {
  return (
    <Base
      {...tip(label, keys)}
      {...rest}
      type={type}
      aria-label={label}
      className={[styles.lone, className].filter(Boolean).join(" ")}
    >
      {children}
    </Base>
  );
}
