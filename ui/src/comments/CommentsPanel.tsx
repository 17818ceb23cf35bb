// The discussion of a page beside it: threads level with their words where there is room, a list elsewhere. Those that
// are about the page as a whole, or whose words are gone, come first.
import { useQuery } from "@tanstack/react-query";
import { MessageSquarePlus } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "../look/Button";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { useMedia, wide } from "../look/useMedia";
import type { PanelPlace } from "../space/panels";
import { space as spaceQuery } from "../space/queries";
import { usePanel } from "../space/usePanel";
import { t } from "../words/words";
import { About } from "./About";
import { useCommenting } from "./Commenting";
import styles from "./CommentsPanel.module.css";
import { Level } from "./Level";
import { NewComment } from "./NewComment";
import { type Comment, threads } from "./queries";
import { Thread } from "./Thread";

const filters = ["open", "resolved", "all"] as const;
type Filter = (typeof filters)[number];

export function CommentsPanel({ space, change, page: shown, compared }: PanelPlace) {
  const page = shown ?? compared ?? "";
  const scope = { space, change };
  const asked = useQuery(threads(scope, page));
  const may = useQuery(spaceQuery(space)).data?.permissions.comment ?? false;
  const { surface, target: begun, active, open, begin, end } = useCommenting();
  const target = begun?.page === page ? begun : null;
  const { show: showPanel } = usePanel();
  const beside = useMedia(wide);
  const [filter, setFilter] = useState<Filter>("open");
  const list = (asked.data ?? []).filter((each) => filter === "all" || each.status === filter || each.id === active);

  // A link to a thread leads to its words, once both are there.
  const linked = active !== null && surface !== null && list.some((each) => each.id === active);
  useEffect(() => {
    if (linked) surface.go(active);
  }, [linked, surface]);

  const go = (comment: Comment) => {
    open(comment.id);
    if (!beside) showPanel(null);
    // What lies on top of the page goes first.
    requestAnimationFrame(() => surface?.go(comment.id));
  };
  const thread = (comment: Comment, placed: boolean) => (
    <Thread
      key={comment.id}
      scope={scope}
      comment={comment}
      open={comment.id === active}
      about={placed && beside ? null : <About comment={comment} onGo={placed ? () => go(comment) : undefined} />}
      onOpen={() => open(comment.id)}
      onApplied={surface?.changed}
      address={`?panel=comments&comment=${comment.id}`}
    />
  );
  return (
    <div className={styles.panel}>
      <div className={styles.bar}>
        <span role="group" aria-label={t("comment.filter")} className={styles.filters}>
          {filters.map((each) => (
            <button
              key={each}
              type="button"
              className={styles.filter}
              aria-pressed={each === filter}
              onClick={() => setFilter(each)}
            >
              {t(`comment.filter.${each}`)}
            </button>
          ))}
        </span>
        {may && !target && (
          <IconButton label={t("comment.onPage")} onClick={() => begin({ page })}>
            <MessageSquarePlus />
          </IconButton>
        )}
      </div>
      {target && may && (
        <NewComment
          key={JSON.stringify(target)}
          scope={scope}
          page={page}
          target={target}
          ready={surface?.ready ?? (() => Promise.resolve())}
          onPosted={(id) => {
            end();
            open(id);
          }}
          onCancel={end}
        />
      )}
      {asked.isPending && <Skeleton lines={5} />}
      {asked.isError && !asked.data && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.data && list.length === 0 && !target && <p className={styles.nothing}>{t(`comment.none.${filter}`)}</p>}
      <Level
        surface={surface}
        list={list}
        active={active}
        beside={beside}
        onLook={(id) => id !== active && open(id)}
        draw={thread}
      />
    </div>
  );
}
