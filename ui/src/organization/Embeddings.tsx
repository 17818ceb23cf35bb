import type { ReactNode } from "react";
import type { Schemas } from "../api/client";
import { Banner } from "../look/Banner";
import { exactly } from "../words/time";
import { t } from "../words/words";
import styles from "./Settings.module.css";

type Status = Schemas["EmbeddingStatus"];

// done reports whether all passages that were counted have a vector, but for those that get none.
export const done = ({ running, passages, embedded, withheld, refused }: Status) =>
  !running && embedded + withheld + refused >= passages;

// since says from when on something has failed, and when it did last unless that is the same minute.
const since = (first: string, last: string) =>
  first === last ? t("indexing.failure.once", { since: first }) : t("indexing.failure.since", { since: first, last });

// Embeddings is how far the passages are embedded, and what the endpoint fails by with what to do about it.
export function Embeddings({ now, retry }: { now: Status; retry: ReactNode }) {
  const { failure } = now;
  return (
    <>
      <dl className={styles.terms}>
        <dt>{t("indexing.model")}</dt>
        <dd>{now.model}</dd>
        <dt>{t("indexing.sent")}</dt>
        <dd>{t(`indexing.sent.${now.content}`)}</dd>
      </dl>
      <progress
        className={styles.bar}
        aria-label={t("indexing.progress")}
        max={now.passages || 1}
        value={now.embedded}
      />
      <p className={styles.figures}>{t("indexing.embedded", { embedded: now.embedded, passages: now.passages })}</p>
      {now.withheld > 0 && <p className={styles.about}>{t("indexing.withheld", { count: now.withheld })}</p>}
      {now.refused > 0 && <p className={styles.about}>{t("indexing.refused", { count: now.refused })}</p>}
      <p role="status" className={styles.about}>
        {now.running
          ? t("indexing.running")
          : now.spaces === 0
            ? t("indexing.uncounted")
            : t(done(now) ? "indexing.done" : "indexing.stopped")}
      </p>
      {failure && (
        <Banner kind="warning" className={styles.failure} actions={retry}>
          <p>{t(`indexing.failure.${failure.reason}`)}</p>
          <p className={styles.about}>{since(exactly(failure.since), exactly(failure.last))}</p>
          <p className={styles.about}>
            <code>{failure.message}</code>
          </p>
        </Banner>
      )}
    </>
  );
}
