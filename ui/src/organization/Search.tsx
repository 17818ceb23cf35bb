import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { Button } from "../look/Button";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import type { Organization } from "../shell/organization";
import { t } from "../words/words";
import { Embeddings } from "./Embeddings";
import styles from "./Settings.module.css";
import { refreshSearch, searchOf } from "./queries";

// Search is how far the spaces of an organization are read, and their passages embedded; what lags can be started.
export function Search({ organization }: { organization: Organization }) {
  const queries = useQueryClient();
  const meaning = useRef<HTMLHeadingElement>(null);
  const asked = useQuery(searchOf(organization.id));
  const refresh = useMutation({
    mutationFn: () => refreshSearch(organization.id),
    onSuccess: (now) => queries.setQueryData(searchOf(organization.id).queryKey, now),
  });
  if (asked.isPending) return <Skeleton shape="rows" lines={6} />;
  if (!asked.data) return <Failed failure={asked.error} onRetry={() => void asked.refetch()} />;
  const { index, embeddings, refreshing } = asked.data;
  const busy = refresh.isPending || refreshing;
  // The button goes with the failure, so who has pressed it is at the heading then.
  const retry = () => {
    meaning.current?.focus();
    refresh.mutate();
  };
  return (
    <div className={styles.parts}>
      {asked.isError && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      <section aria-labelledby="settings-words">
        <h2 id="settings-words" className={styles.heading}>
          {t("indexing.words")}
        </h2>
        <p className={styles.about}>{t("indexing.words.text")}</p>
        <p className={styles.figures}>
          {t("indexing.current", { current: index.current, spaces: index.spaces, pages: index.pages })}
        </p>
        <p role="status" className={styles.about}>
          {(refreshing || index.reading > 0) && t("indexing.reading")}
        </p>
        {index.failed > 0 && <p className={styles.wrong}>{t("indexing.failed", { failed: index.failed })}</p>}
        {refresh.isError && <Failed failure={refresh.error} />}
        <div className={styles.actions}>
          <Button busy={busy} onClick={() => refresh.mutate()}>
            {t("indexing.refresh")}
          </Button>
        </div>
      </section>
      <section aria-labelledby="settings-meaning">
        <h2 id="settings-meaning" ref={meaning} tabIndex={-1} className={styles.heading}>
          {t("indexing.meaning")}
        </h2>
        {embeddings ? (
          <Embeddings
            now={embeddings}
            retry={
              <Button busy={busy} onClick={retry}>
                {t("indexing.retry")}
              </Button>
            }
          />
        ) : (
          <p className={styles.about}>{t("indexing.off")}</p>
        )}
      </section>
      <p className={styles.about}>{t("indexing.server")}</p>
    </div>
  );
}
