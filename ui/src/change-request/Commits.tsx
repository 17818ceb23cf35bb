// The revisions of a change request, the newest first: who made each, when, and what it changed. Any two can be
// compared.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FileDiff } from "lucide-react";
import { useState } from "react";
import { Avatar } from "../look/Avatar";
import { buttonClass } from "../look/Button";
import { EmptyState } from "../look/EmptyState";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { Time } from "../words/Time";
import { t } from "../words/words";
import { ChangeFrame } from "./ChangeFrame";
import styles from "./Commits.module.css";
import type { ChangeRequest } from "./draft";
import { revisionsOf } from "./queries";

export function Commits() {
  return <ChangeFrame tab="commits">{(request, space) => <List space={space.id} request={request} />}</ChangeFrame>;
}

function List({ space, request }: { space: string; request: ChangeRequest }) {
  const asked = useQuery(revisionsOf(space, request.number));
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const revisions = asked.data ?? [];
  const params = { space, number: String(request.number) };
  // The older of two is what the newer one is compared with.
  const [to, from] = revisions.filter((each) => chosen.includes(each.id)).map((each) => each.id);
  const choose = (id: string) =>
    setChosen((now) => (now.includes(id) ? now.filter((each) => each !== id) : [...now.slice(-1), id]));
  if (asked.isError && !asked.data) return <Failed failure={asked.error} onRetry={() => void asked.refetch()} />;
  if (!asked.data) return <Skeleton shape="rows" lines={5} />;
  if (revisions.length === 0) {
    return (
      <EmptyState icon={<FileDiff />} title={t("change.nothing")}>
        {t("change.nothingText")}
      </EmptyState>
    );
  }
  return (
    <>
      <div className={styles.head}>
        <p className={styles.hint}>{t("commits.hint")}</p>
        {from && to && (
          <Link
            to="/spaces/$space/changes/$number/diff"
            params={params}
            search={{ from, to } as never}
            className={buttonClass("primary")}
          >
            {t("commits.compare")}
          </Link>
        )}
      </div>
      <ol className={styles.rows}>
        {revisions.map((each) => (
          <li key={each.id} className={styles.row}>
            <input
              type="checkbox"
              className={styles.box}
              aria-label={t("commits.choose", { name: named(each.type, each.message) })}
              checked={chosen.includes(each.id)}
              onChange={() => choose(each.id)}
            />
            <Avatar size="small" name={each.author.displayName} />
            <span className={styles.author}>{each.author.displayName}</span>
            <span className={styles.what}>{named(each.type, each.message)}</span>
            <span className={styles.time}>
              <Time at={each.createdAt} />
            </span>
            {each.parents?.[0] && (
              <Link
                to="/spaces/$space/changes/$number/diff"
                params={params}
                search={{ from: each.parents[0], to: each.id } as never}
                className={styles.see}
              >
                {t("commits.see")}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

// named says what a revision is: in its author's words, or by its kind.
const named = (type: "edits" | "merge" | "rollback" | "update" | "computed", message: string | undefined) =>
  message || t(`commits.${type}`);
