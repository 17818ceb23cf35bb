// The conversation of a change request: all that has happened to it, the oldest first, each with its sentence and an
// address, and where one goes on with it.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter, useSearch } from "@tanstack/react-router";
import { About } from "../comments/About";
import panel from "../comments/CommentsPanel.module.css";
import { Composer } from "../comments/Composer";
import { type Comment, discussion, threads } from "../comments/queries";
import { Thread } from "../comments/Thread";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { t } from "../words/words";
import type { ChangeRequest } from "./draft";
import { MomentLine } from "./MomentLine";
import { eventsOf, reviewsOf, revisionsOf } from "./queries";
import { momentsOf } from "./timeline";
import styles from "./Timeline.module.css";

type Props = { space: string; request: ChangeRequest; mayComment: boolean };

export function Timeline({ space, request, mayComment }: Props) {
  const { number } = request;
  const scope = { space, change: number };
  const queries = useQueryClient();
  const router = useRouter();
  const { comment: linked }: { comment?: string } = useSearch({ strict: false });
  const comments = useQuery(threads(scope));
  const events = useQuery(eventsOf(space, number));
  const reviews = useQuery(reviewsOf(space, number));
  const revisions = useQuery(revisionsOf(space, number));
  const asked = [comments, events, reviews, revisions];
  const failed = asked.find((each) => each.isError && !each.data);
  const waits = asked.some((each) => each.isPending);
  const open = comments.data?.filter((each) => each.status === "open").length ?? 0;
  const addressOf = ({ id, target }: Comment) => {
    const at = `/app/spaces/${space}/changes/${number}`;
    return target.page
      ? `${at}/pages/${target.page.id}?panel=comments&comment=${id}`
      : `${at}/conversation?comment=${id}`;
  };
  const moments = waits
    ? []
    : momentsOf({
        request,
        events: events.data ?? [],
        reviews: reviews.data ?? [],
        comments: comments.data ?? [],
        revisions: revisions.data ?? [],
      });
  return (
    <section className={panel.conversation} aria-label={t("comment.conversation")}>
      <h2 className={panel.heading}>
        {t("comment.conversation")}
        {open > 0 && <span className={panel.count}>{t("comment.open", { count: open })}</span>}
      </h2>
      {waits && !failed && <Skeleton lines={5} />}
      {failed && <Failed failure={failed.error} onRetry={() => void failed.refetch()} />}
      <ol className={styles.moments}>
        {moments.map((moment) =>
          moment.kind === "comment" ? (
            <li key={moment.id} id={moment.id} className={styles.thread}>
              <Thread
                scope={scope}
                comment={moment.comment}
                open
                linked={moment.id === linked}
                about={
                  <About
                    comment={moment.comment}
                    page
                    onGo={moment.comment.target.page ? () => router.history.push(addressOf(moment.comment)) : undefined}
                  />
                }
                address={addressOf(moment.comment)}
              />
            </li>
          ) : (
            <MomentLine key={moment.id} space={space} number={number} moment={moment} />
          ),
        )}
      </ol>
      {mayComment && (
        <Composer
          space={space}
          keep={`new.${space}.${number}`}
          label={t("comment.write")}
          send={t("comment.send")}
          onSend={(markdown) => discussion(queries, scope).post({ markdown })}
        />
      )}
    </section>
  );
}
