// Where something stands, for those who are about to delete it.
import { type QueryKey, useQuery, type UseQueryOptions } from "@tanstack/react-query";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { t } from "../words/words";
import styles from "./Files.module.css";
import type { Use } from "./queries";

// How many places are named.
const named = 8;

type Props<Key extends QueryKey> = { of: UseQueryOptions<Use[], Error, Use[], Key>; some: string; none: string };

export function Uses<Key extends QueryKey>({ of, some, none }: Props<Key>) {
  // Somebody may have used it meanwhile.
  const asked = useQuery({ ...of, staleTime: 0 });
  const uses = asked.data ?? [];
  return (
    <div className={styles.uses}>
      {asked.isPending && <Skeleton shape="rows" lines={1} />}
      {asked.isError && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.data && <p>{uses.length > 0 ? some : none}</p>}
      {uses.length > 0 && (
        <ul>
          {uses.slice(0, named).map(({ id, title }) => (
            <li key={id}>{title || t("tree.untitled")}</li>
          ))}
          {uses.length > named && <li>{t("tree.delete.more", { count: uses.length - named })}</li>}
        </ul>
      )}
    </div>
  );
}
