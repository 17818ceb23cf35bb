import { api, done, taken } from "../../api/client";
import { at, root } from "../queries";
import { useShown } from "../shown";
import type { Move, Row } from "./rows";

// useArrange returns what moves a row of a site.
export function useArrange() {
  const { organization, site, change } = useShown();
  const path = at(organization, site.id);
  return (row: Row, move: Move) =>
    change.mutate(() => {
      if (move.kind === "into")
        return taken(
          api.POST(`${root}/section-groups/{siteSectionGroupId}/sections`, {
            params: { path: { ...path, siteSectionGroupId: move.group } },
            body: { sectionId: row.id },
          }),
        );
      if (move.kind === "out")
        return done(
          api.DELETE(`${root}/section-groups/{siteSectionGroupId}/sections/{siteSectionId}`, {
            params: { path: { ...path, siteSectionGroupId: move.group, siteSectionId: row.id } },
          }),
        );
      const body = {
        item: { type: row.kind, id: row.id },
        position: { [move.way]: { type: move.row.kind, id: move.row.id } },
      };
      return taken(api.PATCH(`${root}/structure/sort`, { params: { path }, body }));
    });
}
