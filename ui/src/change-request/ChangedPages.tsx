// What a change request changes, one row for each page, file and so on, each leading to its diff.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FileDiff } from "lucide-react";
import { EmptyState } from "../look/EmptyState";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { t } from "../words/words";
import styles from "./ChangedPages.module.css";
import { byEntity } from "./changes";
import { changesOf } from "./queries";

export function ChangedPages({ space, number }: { space: string; number: number }) {
  const asked = useQuery(changesOf(space, number));
  const rows = byEntity(asked.data?.changes ?? []);
  return (
    <section aria-labelledby="changed-pages">
      <h2 id="changed-pages" className={styles.heading}>
        {t("change.changed", { count: rows.length + (asked.data?.more ?? 0) })}
      </h2>
      {asked.isPending && <Skeleton shape="rows" lines={3} />}
      {asked.isError && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.data && rows.length === 0 && (
        <EmptyState icon={<FileDiff />} title={t("change.nothing")} level={3}>
          {t("change.nothingText")}
        </EmptyState>
      )}
      <ul className={styles.rows} hidden={rows.length === 0}>
        {rows.map((row) => (
          <li key={row.id} className={styles.row}>
            <span className={styles.kind} data-kind={row.kind}>
              {t(`change.kind.${row.kind}`)}
            </span>
            {row.page ? (
              <Link
                to="/spaces/$space/changes/$number/diff"
                params={{ space, number: String(number) }}
                search={{ page: row.id } as never}
                className={styles.title}
              >
                {row.title || t("tree.untitled")}
              </Link>
            ) : (
              <span className={styles.title}>{row.title}</span>
            )}
            <span className={styles.path}>{row.path}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
