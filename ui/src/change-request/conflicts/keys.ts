// The keys 1, 2 and 3 choose a side at the place that has the focus, else at the first that waits. A place is an
// element with data-place; its buttons have data-choice.
import { singleKeys } from "../../shell/useShortcut";

// onChoice has the keys choose while nothing is written in, and returns what ends that.
export function onChoice(within: () => HTMLElement | null): () => void {
  const listen = (event: KeyboardEvent) => {
    if (
      !singleKeys() ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.getModifierState("AltGraph") ||
      !["1", "2", "3"].includes(event.key)
    )
      return;
    if (
      (event.target as HTMLElement | null)?.closest(
        "input, textarea, select, [contenteditable], [role=menu], [role=dialog]",
      )
    )
      return;
    const box = within();
    const place =
      document.activeElement?.closest("[data-place]") ??
      box?.querySelector("[data-place=open]") ??
      box?.querySelector("[data-place]");
    const button = place?.querySelector<HTMLButtonElement>(`[data-choice="${event.key}"]`);
    if (!place || !button || !box?.contains(place)) return;
    event.preventDefault();
    button.click();
    // On to what waits next, so that the keys alone go through all of it.
    const rest = [...box.querySelectorAll<HTMLElement>("[data-place]")];
    const next = rest.slice(rest.indexOf(place as HTMLElement) + 1).find((each) => each.dataset.place === "open");
    next?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: "center" });
  };
  window.addEventListener("keydown", listen);
  return () => window.removeEventListener("keydown", listen);
}
