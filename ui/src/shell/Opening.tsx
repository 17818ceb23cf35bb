// The button of a menu that is loaded when somebody is about to open it, so that the first screen does not wait for it.
import { cloneElement, type ReactElement, type ReactNode, Suspense, useState } from "react";

type Button = ReactElement<{
  onClick?: () => void;
  onPointerEnter?: () => void;
  onFocus?: () => void;
  "aria-haspopup"?: "menu";
  "aria-expanded"?: boolean;
}>;

// Opening shows the trigger, and after it was pressed what it opens, which has the trigger in itself and begins open.
export function Opening({
  trigger,
  load,
  children,
}: {
  trigger: Button;
  load: () => Promise<unknown>;
  children: ReactNode;
}) {
  const [asked, ask] = useState(false);
  const begin = () => void load().catch(() => undefined);
  const button = cloneElement(trigger, {
    onClick: () => ask(true),
    onPointerEnter: begin,
    onFocus: begin,
    "aria-haspopup": "menu",
    "aria-expanded": false,
  });
  return asked ? <Suspense fallback={button}>{children}</Suspense> : button;
}
