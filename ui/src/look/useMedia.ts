import { useCallback, useSyncExternalStore } from "react";

// The widths at which the frame changes: below tablet there is a bar at the foot, below desktop trees lie on top.
export const tablet = "(min-width: 48rem)";
export const desktop = "(min-width: 64rem)";
// From here on a panel at the right stands beside the page.
export const wide = "(min-width: 75rem)";

// useMedia reports whether a media query holds, and draws again when that changes.
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
