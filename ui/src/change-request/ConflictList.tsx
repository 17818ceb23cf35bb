// Where conflicts are: the page and what of it. Settling them has a screen of its own.
import { useQuery } from "@tanstack/react-query";
import { find, label } from "../space/tree";
import { pages } from "../space/queries";
import { t } from "../words/words";
import type { Conflict } from "./queries";

type Props = { space: string; number: number; conflicts: Conflict[] };

export function ConflictList({ space, number, conflicts }: Props) {
  const tree = useQuery(pages(space, number)).data ?? [];
  return (
    <>
      {conflicts.map((conflict) => {
        const names = (conflict.entries ?? []).map((id) => {
          const page = find(tree, id);
          return page ? label(page) : id;
        });
        return (
          <li key={conflict.id}>
            {t("change.conflict", { where: names.join(", "), what: t(`change.conflictKind.${conflict.kind}`) })}
          </li>
        );
      })}
    </>
  );
}
