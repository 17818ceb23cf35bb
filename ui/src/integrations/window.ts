import { useEffect } from "react";

// So often it is asked whether a window has set something, and so long at most, in milliseconds.
const pause = 2_000;
const longest = 10 * 60_000;

// useOutcome asks for what has come of a window while one is open, and ends that after a while.
export function useOutcome(open: boolean, onRefresh: () => void, onEnd: () => void): void {
  useEffect(() => {
    if (!open) return;
    const asked = setInterval(onRefresh, pause);
    const end = setTimeout(onEnd, longest);
    addEventListener("focus", onRefresh);
    return () => {
      clearInterval(asked);
      clearTimeout(end);
      removeEventListener("focus", onRefresh);
    };
  }, [open, onRefresh]);
}

// openWindow opens a page of an integration's in a window of its own, which cannot reach the app. It returns false
// where the browser opens none. Nobody learns when such a window closes: it belongs to another site as soon as it is
// there.
export function openWindow(address: string): boolean {
  if (!/^https?:/i.test(address)) return false;
  const opened = window.open("about:blank", "_blank", "popup,width=680,height=760");
  if (!opened) return false;
  opened.opener = null;
  opened.location.href = address;
  return true;
}
