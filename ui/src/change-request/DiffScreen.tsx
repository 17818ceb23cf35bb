// What was changed between two states of a space, one thing after the other: the list at the left, the diff of one at
// the right. Which one, how it shows, and between which revisions are in the address. J and K go from change to change,
// V marks as viewed, R opens the review.
import { useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { FileDiff } from "lucide-react";
import { type ReactNode, type RefObject, useRef, useState } from "react";
import type { Schemas } from "../api/client";
import { EmptyState } from "../look/EmptyState";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { useShortcut } from "../shell/useShortcut";
import { t } from "../words/words";
import { ChangedList } from "./ChangedList";
import { type Entity, hasText } from "./changes";
import styles from "./Diff.module.css";
import { DiffOne } from "./DiffOne";
import type { changesIn } from "./queries";
import type { useViewed } from "./useViewed";

export type Search = { page?: string; mode?: string; from?: string; to?: string };
export type PageDiff = ReturnType<typeof changesIn>;

type ReviewProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  finalFocus: RefObject<HTMLElement | null>;
};

type Props = {
  space: string;
  list: UseQueryResult<Schemas["SemanticChanges"]>;
  // What was changed, as the list has it.
  entities: Entity[];
  // What it says when nothing was.
  empty: string;
  // The question for the diff of a text.
  diffOf: (entity: Entity) => PageDiff;
  search: Search;
  onShow: (change: Search) => void;
  // The change request whose discussion stands beside a diff, undefined between two revisions.
  change?: number | undefined;
  // What of it was viewed, where that is marked.
  looked?: ReturnType<typeof useViewed> | undefined;
  // The review, where there is one: whether it is open, what opens and closes it, and what has the focus after it.
  review?: ((dialog: ReviewProps) => ReactNode) | undefined;
  // What stands above the diff.
  children?: ReactNode;
};

export function DiffScreen({
  space,
  list,
  entities,
  empty,
  diffOf,
  search,
  onShow,
  change,
  looked,
  review,
  children,
}: Props) {
  const queries = useQueryClient();
  const rows = useRef<HTMLElement>(null);
  const [reviewing, setReviewing] = useState(false);
  // Who was nowhere goes on at the row of what is shown.
  const back = useRef<HTMLElement>(null);
  const openReview = () => {
    const { activeElement } = document;
    back.current =
      activeElement instanceof HTMLElement && activeElement !== document.body
        ? activeElement
        : (rows.current?.querySelector<HTMLElement>("[aria-current=true]") ?? null);
    setReviewing(true);
  };
  useShortcut("review", review && openReview);
  const at = Math.max(0, entities.findIndex((each) => each.id === search.page));
  const entity = entities[at];
  const near = (each: Entity | undefined) => each && hasText(each) && void queries.prefetchQuery(diffOf(each));
  if (list.data && entities.length === 0) {
    return (
      <EmptyState icon={<FileDiff />} title={t("diff.same")} level={1}>
        {empty}
      </EmptyState>
    );
  }
  return (
    <div className={styles.screen}>
      <nav ref={rows} className={styles.pages} aria-label={t("diff.pages")}>
        {list.isPending && <Skeleton shape="rows" lines={4} />}
        {list.isError && <Failed failure={list.error} onRetry={() => void list.refetch()} />}
        {looked && entities.length > 0 && (
          <p className={styles.count} role="status">
            {t("diff.count", { viewed: looked.count, count: entities.length })}
          </p>
        )}
        <ChangedList
          entities={entities}
          current={entity}
          viewed={looked?.viewed}
          onShow={(each) => onShow({ page: each.id })}
          onNear={near}
        />
        {list.data?.more ? <p className={styles.count}>{t("diff.more", { count: list.data.more })}</p> : null}
      </nav>
      <section className={styles.diff} aria-labelledby="diff-title">
        {children}
        {entity ? (
          <DiffOne
            key={entity.id}
            space={space}
            entity={entity}
            ends={{ from: list.data?.base, to: list.data?.head }}
            diff={diffOf(entity)}
            change={change}
            mode={search.mode}
            onMode={(mode) => onShow({ mode })}
            onGo={(by) => {
              const next = entities[at + by];
              if (next) onShow({ page: next.id });
            }}
            onReady={() => near(entities[at + 1])}
            viewed={looked?.viewed(entity)}
            onViewed={(diff) => looked?.toggle(entity, diff)}
          />
        ) : (
          <Skeleton lines={8} />
        )}
      </section>
      {review?.({ open: reviewing, onOpenChange: setReviewing, finalFocus: back })}
    </div>
  );
}
