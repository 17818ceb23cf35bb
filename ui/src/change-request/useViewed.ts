import { useQueries } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Entity } from "./changes";
import type { ChangeRequest } from "./draft";
import { changesIn } from "./queries";
import { mark, print, type View, views } from "./viewed";

// shown is what there is to see of something whose diff is no question of its own.
const shown = (entity: Entity) => print(entity.changes);

// useViewed says which changes a person has viewed. Of pages that were viewed at an earlier state the diff is asked for
// again: only when it is another one are they not viewed any more.
export function useViewed(user: string, space: string, request: ChangeRequest, entities: Entity[]) {
  const at = `${request.revision}/${request.revisionMerged ?? ""}`;
  const [known, setKnown] = useState(() => views(user, space, request.number));
  const put = (id: string, view: View | null) => setKnown(mark(user, space, request.number, id, view));
  const doubtful = entities.filter((each) => each.page && known[each.id] && known[each.id]?.at !== at);
  const asked = useQueries({ queries: doubtful.map((each) => changesIn(space, request, each)) });
  const answers = asked.map((each) => each.dataUpdatedAt).join();
  useEffect(() => {
    doubtful.forEach((each, index) => {
      const diff = asked[index]?.data;
      const view = known[each.id];
      if (diff && view) put(each.id, print(diff) === view.print ? { ...view, at } : null);
    });
    // What is doubtful follows from the answers and the state.
  }, [answers, at]);
  const viewed = (each: Entity) => (each.page ? known[each.id]?.at === at : known[each.id]?.print === shown(each));
  return {
    viewed,
    count: entities.filter(viewed).length,
    // toggle marks something as viewed, with its diff where it is a page, or takes that back.
    toggle: (each: Entity, diff: unknown) =>
      put(each.id, viewed(each) ? null : { print: each.page ? print(diff) : shown(each), at }),
  };
}
