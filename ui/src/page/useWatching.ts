// The live session of a page that is written as Markdown: others are seen there, and what they write comes into the
// text.
import { useEffect, useState } from "react";
import { Connection, waysTo } from "../live/connection";
import type { LiveState } from "../live/types";
import { uuid } from "../live/uuid";
import { Watching } from "../live/watching";
import type { Saving } from "./saving";
import type { Source } from "./forms";
import type { Place } from "./server";

export function useWatching(place: Place, open: boolean, saving: Saving<Source>): LiveState | undefined {
  const [state, setState] = useState<LiveState>();
  const { space, change, page } = place;
  useEffect(() => {
    // Main is written alone.
    if (!open || change === undefined) return;
    let watching: Watching | null = null;
    let left = false;
    void begin();
    return () => {
      left = true;
      watching?.stop();
    };

    async function begin() {
      // The schema comes with the editor, which this form does not need otherwise.
      const { fingerprint } = await import("../editor/fingerprint");
      if (left) return;
      const client = uuid();
      const made = new Watching({ client, schema: fingerprint(), revised: (revision) => void saving.follow(revision) });
      watching = made;
      made.subscribe(() => setState(made.get()));
      made.connect(
        new Connection(client, waysTo(`/v1/spaces/${space}/change-requests/${change}/content/page/${page}/live`), made),
      );
    }
  }, [open, space, change, page, saving]);
  return state;
}
