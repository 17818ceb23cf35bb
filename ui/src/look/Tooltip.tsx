// The name of a lone icon, and the keys that do the same. A tooltip tells nothing that is not said elsewhere: fingers
// and screen readers never see it. There is one for the whole app, which is loaded when it first shows.
import { lazy, Suspense, useEffect, useState } from "react";

const load = () => import("./Tip").then(({ Tip }) => ({ default: Tip }));
const Tip = lazy(load);

// So long a pointer rests before a tooltip shows, and so long after one the next follows at once, in milliseconds.
const rest = 400;
const row = 300;

// tip gives an element a tooltip.
export const tip = (label: string, keys?: string) => ({
  "data-tip": label,
  ...(keys ? { "data-tip-keys": keys } : {}),
});

const tipped = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>("[data-tip]") : null;
const quiet = (element: HTMLElement) => element.getAttribute("aria-expanded") === "true";

// TooltipHost shows the tooltip of what the pointer rests on, or of what the keyboard has come to.
export function TooltipHost() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  useEffect(() => {
    let timer = 0;
    let over: HTMLElement | null = null;
    let closed = 0;
    let shown = false;
    const show = (element: HTMLElement) => {
      if (!element.isConnected || quiet(element)) return;
      shown = true;
      setAnchor(element);
    };
    const hide = () => {
      clearTimeout(timer);
      if (shown) closed = performance.now();
      shown = false;
      setAnchor(null);
    };
    const come = (element: HTMLElement | null, wait: number) => {
      if (element === over) return;
      over = element;
      hide();
      if (!element) return;
      void load();
      timer = window.setTimeout(() => show(element), wait);
    };
    const onOver = ({ target, pointerType }: PointerEvent) => {
      // Who reads the tooltip itself keeps it.
      if (pointerType === "touch" || (target instanceof Element && target.closest("[data-tooltip]"))) return;
      come(tipped(target), performance.now() - closed < row ? 0 : rest);
    };
    const onFocus = ({ target }: FocusEvent) => {
      const element = tipped(target);
      if (element?.matches(":focus-visible")) come(element, 0);
    };
    const onBlur = ({ target }: FocusEvent) => tipped(target) === over && come(null, 0);
    const ended = new AbortController();
    const options = { capture: true, passive: true, signal: ended.signal };
    document.addEventListener("pointerover", onOver, options);
    document.addEventListener("focusin", onFocus, options);
    document.addEventListener("focusout", onBlur, options);
    for (const name of ["pointerdown", "keydown", "wheel"]) document.addEventListener(name, hide, options);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, []);
  if (!anchor) return null;
  return (
    <Suspense fallback={null}>
      <Tip anchor={anchor} label={anchor.dataset.tip ?? ""} keys={anchor.dataset.tipKeys ?? ""} />
    </Suspense>
  );
}
