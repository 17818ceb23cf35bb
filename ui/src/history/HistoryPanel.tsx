// The history of one page, beside it: the revisions that changed it by day, who made each, and what it changed. Each
// leads to its diff, and the page can be put into the draft as it was.
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Undo2 } from "lucide-react";
import { changeRequests } from "../api/queries";
import { named as attributeNamed } from "../change-request/Attributes";
import { Avatar } from "../look/Avatar";
import { IconButton } from "../look/Button";
import { Failed } from "../look/Failed";
import { MoreButton } from "../look/MoreButton";
import { Skeleton } from "../look/Skeleton";
import { useEditing } from "../space/editing";
import type { PanelPlace } from "../space/panels";
import { space as spaceQuery } from "../space/queries";
import { Time } from "../words/Time";
import { exactly } from "../words/time";
import { t } from "../words/words";
import styles from "./HistoryPanel.module.css";
import { days, type PageRevision, pageRevisions } from "./queries";

export function HistoryPanel({ space, change, page = "" }: PanelPlace) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const edits = useQuery(spaceQuery(space)).data?.permissions.edit ?? false;
  const restore = useEditing(space, change, (number) => {
    // The text that is written is asked for anew.
    void queries.resetQueries({ queryKey: [...changeRequests.one(space, number), "edit", page] });
    if (change === undefined)
      void navigate({
        to: "/spaces/$space/changes/$number/pages/$page",
        params: { space, number: String(number), page },
      });
  });
  const onRestore = edits
    ? (revision: string) => restore.mutate([{ operation: "revert_page", page, revision }])
    : undefined;
  const part = { space, page, onRestore, restoring: restore.isPending };
  return (
    <>
      {restore.isError && <Failed failure={restore.error} />}
      <p role="status" className={restore.isSuccess ? styles.note : "visually-hidden"}>
        {restore.isSuccess && t("history.restored")}
      </p>
      {change !== undefined && <Part {...part} change={change} title={t("history.inChange", { number: change })} />}
      <Part {...part} change={undefined} title={change === undefined ? undefined : t("history.inMain")} />
    </>
  );
}

type PartProps = {
  space: string;
  page: string;
  change: number | undefined;
  // Said above where there are two parts.
  title: string | undefined;
  onRestore: ((revision: string) => void) | undefined;
  restoring: boolean;
};

// Part is the history of the page on main, or in a change request.
function Part({ space, page, change, title, onRestore, restoring }: PartProps) {
  const asked = useInfiniteQuery(pageRevisions(space, change, page));
  const list = asked.data?.pages.flatMap((piece) => piece.items ?? []) ?? [];
  const nothing = asked.data && list.length === 0 && !asked.hasNextPage;
  const Day = title === undefined ? "h3" : "h4";
  return (
    <section aria-label={title ?? t("history.title")} className={styles.part}>
      {title !== undefined && <h3 className={styles.title}>{title}</h3>}
      {asked.isPending && <Skeleton shape="rows" lines={4} />}
      {asked.isError && !asked.data && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {nothing && (
        <p className={styles.nothing}>{t(change === undefined ? "history.page.none" : "history.page.noneHere")}</p>
      )}
      {days(list, document.documentElement.lang).map(({ day, list: made }) => (
        <section key={day} aria-label={day}>
          <Day className={styles.day}>{day}</Day>
          <ol className={styles.rows}>
            {made.map((each) => (
              <Row
                key={each.id}
                space={space}
                page={page}
                change={change}
                revision={each}
                now={each === list[0]}
                onRestore={onRestore}
                restoring={restoring}
              />
            ))}
          </ol>
        </section>
      ))}
      <MoreButton list={asked} className={styles.more} />
    </section>
  );
}

type RowProps = {
  space: string;
  page: string;
  change: number | undefined;
  revision: PageRevision;
  now: boolean;
  onRestore: ((revision: string) => void) | undefined;
  restoring: boolean;
};

function Row({ space, page, change, revision, now, onRestore, restoring }: RowProps) {
  const what = whatOf(revision);
  const [from] = revision.parents ?? [];
  const gone = revision.changes?.some((each) => each.type === "page_deleted") ?? false;
  const address =
    change === undefined
      ? ({
          to: "/spaces/$space/revisions/$revision",
          params: { space, revision: revision.id },
          search: { page } as never,
        } as const)
      : ({
          to: "/spaces/$space/changes/$number/diff",
          params: { space, number: String(change) },
          search: { from, to: revision.id, page } as never,
        } as const);
  return (
    <li className={styles.row}>
      <Link {...address} className={styles.what}>
        {what}
      </Link>
      {revision.message && <span className={styles.message}>{revision.message}</span>}
      <span className={styles.who}>
        <Avatar size="small" name={revision.author.displayName} />
        <span className={styles.author}>{revision.author.displayName}</span>
        <Time at={revision.createdAt} />
      </span>
      {onRestore && !now && !gone && (
        <IconButton
          className={styles.restore}
          label={t("history.restoreAt", { moment: exactly(revision.createdAt) })}
          disabled={restoring}
          onClick={() => onRestore(revision.id)}
        >
          <Undo2 />
        </IconButton>
      )}
    </li>
  );
}

// whatOf says what a revision changed of the page, in a few words.
function whatOf({ changes, type }: PageRevision): string {
  const words = (changes ?? []).flatMap((each) => {
    if (each.type === "page_created") return [t("history.page.made")];
    if (each.type === "page_deleted") return [t("history.page.deleted")];
    if (each.type === "page_moved")
      return [t(each.parent?.before?.id === each.parent?.after?.id ? "history.page.reordered" : "history.page.moved")];
    return Object.keys(each.attributes ?? {}).map((name) =>
      name === "document" ? t("history.page.text") : attributeNamed(name).replace(/:$/, ""),
    );
  });
  return words.length > 0 ? words.join(", ") : t(`commits.${type}`);
}
