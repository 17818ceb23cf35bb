// What is said of saving while somebody types. With each key a page is waiting, saving and saved again, which nobody
// can read, and drawing it costs more than the key: React walks through the whole text to keep the selection.
import type { Saver, SaveState } from "./saving";

// That a page is saved is said when it has been for so long, in milliseconds.
const quiet = 300;

const underWay = ({ kind }: SaveState) => kind === "waiting" || kind === "saving";

// shownState returns what is shown of a saver, for useSyncExternalStore: what is wrong at once, "saved" after a moment,
// and nothing new while saving goes on.
export function shownState(saver: Pick<Saver, "subscribe" | "get">) {
  let shown = saver.get();
  return {
    get: () => shown,
    subscribe: (listener: () => void): (() => void) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const show = () => {
        shown = saver.get();
        listener();
      };
      const look = () => {
        clearTimeout(timer);
        const now = saver.get();
        if (now === shown || (underWay(now) && underWay(shown))) return;
        if (now.kind === "saved" && underWay(shown)) timer = setTimeout(show, quiet);
        else show();
      };
      const stop = saver.subscribe(look);
      look();
      return () => {
        clearTimeout(timer);
        stop();
      };
    },
  };
}
