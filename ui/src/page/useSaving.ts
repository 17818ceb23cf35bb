// Saving for as long as a screen is there.
import { useEffect, useState, useSyncExternalStore } from "react";
import { whenHere } from "../shell/connection";
import type { Saver } from "./saving";
import { leave, type Place } from "./server";
import { shownState } from "./shownState";

export function useSaving<S extends Saver>(place: Place, make: () => S) {
  const [saving] = useState(make);
  const [where] = useState(place);
  const [shown] = useState(() => shownState(saving));
  const state = useSyncExternalStore(shown.subscribe, shown.get);

  // What is left is sent when the tab is hidden or the screen is left. A network that comes back is not waited for, and
  // who has signed in again has what waited sent.
  useEffect(() => {
    const hidden = () => document.visibilityState === "hidden" && saving.leave();
    const again = () => {
      const now = saving.get();
      if (now.kind === "offline" || (now.kind === "failed" && now.signedOut)) void saving.save();
      else saving.resume();
    };
    document.addEventListener("visibilitychange", hidden);
    window.addEventListener("online", again);
    const stop = whenHere(again);
    saving.resume();
    return () => {
      document.removeEventListener("visibilitychange", hidden);
      window.removeEventListener("online", again);
      stop();
      saving.leave();
      leave(where, saving);
    };
  }, [saving, where]);
  return { saving, state };
}
