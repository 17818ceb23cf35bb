// All threads of a change request in the order of time, for its conversation.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter, useSearch } from "@tanstack/react-router";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { space as spaceQuery } from "../space/queries";
import { t } from "../words/words";
import { About } from "./About";
import styles from "./CommentsPanel.module.css";
import { Composer } from "./Composer";
import { type Comment, discussion, threads } from "./queries";
import { Thread } from "./Thread";

export function Conversation({ space, change }: { space: string; change: number }) {
  const scope = { space, change };
  const queries = useQueryClient();
  const asked = useQuery(threads(scope));
  const may = useQuery(spaceQuery(space)).data?.permissions.comment ?? false;
  const router = useRouter();
  const { comment: linked }: { comment?: string } = useSearch({ strict: false });
  const open = asked.data?.filter((each) => each.status === "open").length ?? 0;
  const addressOf = ({ id, target }: Comment) => {
    const at = `/app/spaces/${space}/changes/${change}`;
    return target.page ? `${at}/pages/${target.page.id}?panel=comments&comment=${id}` : `${at}?comment=${id}`;
  };
  return (
    <section className={styles.conversation} aria-label={t("comment.conversation")}>
      <h2 className={styles.heading}>
        {t("comment.conversation")}
        {open > 0 && <span className={styles.count}>{t("comment.open", { count: open })}</span>}
      </h2>
      {asked.isPending && <Skeleton lines={5} />}
      {asked.isError && !asked.data && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.data?.length === 0 && <p className={styles.nothing}>{t("comment.none.all")}</p>}
      {asked.data?.map((comment) => (
        <Thread
          key={comment.id}
          scope={scope}
          comment={comment}
          open
          linked={comment.id === linked}
          about={<About comment={comment} page onGo={comment.target.page ? () => router.history.push(addressOf(comment)) : undefined} />}
          address={addressOf(comment)}
        />
      ))}
      {may && (
        <Composer space={space} keep={`new.${space}.${change}`} label={t("comment.write")} send={t("comment.send")} onSend={(markdown) => discussion(queries, scope).post({ markdown })} />
      )}
    </section>
  );
}
