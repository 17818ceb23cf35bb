// Going from change to change. A place to stop at is an element with data-stop; the one that has the focus, or else the
// first below the top of the window, is where one is.
import { singleKeys } from "../shell/useShortcut";

// step moves to the next change (by 1) or the one before (by -1). At the ends it stays, and reports false.
export function step(within: HTMLElement | null, by: 1 | -1): boolean {
  const stops = [...(within?.querySelectorAll<HTMLElement>("[data-stop]") ?? [])];
  const at = stops.findIndex((each) => each === document.activeElement);
  const next = at < 0 ? (by > 0 ? stops[0] : stops.at(-1)) : stops[at + by];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "center" });
  return next !== undefined;
}

// onKey has J and K move while nothing is written in, and returns what ends that. beyond is called at the ends;
// more are further keys and what they do.
export function onKey(
  within: () => HTMLElement | null,
  beyond?: (by: 1 | -1) => void,
  more: Record<string, () => void> = {},
): () => void {
  const listen = (event: KeyboardEvent) => {
    if (!singleKeys() || event.ctrlKey || event.metaKey || event.altKey || event.getModifierState("AltGraph")) return;
    const target = event.target as HTMLElement | null;
    if (target?.closest("input, textarea, select, [contenteditable], [role=menu], [role=dialog]")) return;
    const further = more[event.key.toLowerCase()];
    if (further) {
      event.preventDefault();
      further();
    }
    const by = { j: 1, k: -1 }[event.key] as 1 | -1 | undefined;
    if (by === undefined) return;
    event.preventDefault();
    if (!step(within(), by)) beyond?.(by);
  };
  window.addEventListener("keydown", listen);
  return () => window.removeEventListener("keydown", listen);
}
