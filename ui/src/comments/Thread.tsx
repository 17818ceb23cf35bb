// A thread: the comment that it begins with, what that is about, and the replies.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Check, RotateCcw } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { Button, IconButton } from "../look/Button";
import { failureText } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { copy } from "../look/copy";
import { t } from "../words/words";
import { Composer } from "./Composer";
import { Post } from "./Post";
import { type Comment, discussion, replies as repliesQuery, type Scope } from "./queries";
import styles from "./Thread.module.css";
import { Words } from "./Words";

type Props = {
  scope: Scope;
  comment: Comment;
  // An open thread shows its replies and takes another.
  open: boolean;
  // What it is about, when that is not seen beside it.
  about?: ReactNode;
  onOpen?: (() => void) | undefined;
  onApplied?: (() => Promise<void>) | undefined;
  // linked says that the address of the screen leads to it.
  linked?: boolean;
  // address leads to the thread.
  address: string;
};

export function Thread({ scope, comment, open, about, onOpen, onApplied, linked = false, address }: Props) {
  const queries = useQueryClient();
  const writes = discussion(queries, scope);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const led = useRef(false);
  const { permissions, suggestion, target } = comment;
  const resolved = comment.status === "resolved";
  const attempt = async (what: () => Promise<unknown>) => {
    setBusy(true);
    setFailure(null);
    try {
      await what();
    } catch (reason) {
      setFailure(reason);
    }
    setBusy(false);
  };
  const apply = async () => {
    await writes.apply(comment.id);
    await onApplied?.();
  };
  const settle = permissions.resolve && (
    <IconButton
      label={t(resolved ? "comment.reopen" : "comment.resolve")}
      disabled={busy}
      onClick={() => void attempt(() => writes.change(comment.id, { resolved: !resolved }))}
    >
      {resolved ? <RotateCcw /> : <Check />}
    </IconButton>
  );
  return (
    <section
      ref={(element) => {
        // Once, when it comes.
        if (!element || !linked || led.current) return;
        led.current = true;
        element.scrollIntoView({ block: "center" });
      }}
      className={styles.thread}
      data-open={open}
      data-resolved={resolved}
      aria-label={t("comment.thread", { author: comment.postedBy.displayName })}
    >
      {about}
      <Post
        post={comment}
        space={scope.space}
        actions={settle}
        onChange={(change) => writes.change(comment.id, change)}
        onDelete={() => writes.remove(comment.id)}
        onCopy={() => void copy(new URL(address, location.href).href)}
      />
      {suggestion && (
        <div className={styles.suggestion}>
          <p className={styles.label}>{t(suggestion.applied ? "comment.suggestion.applied" : "comment.suggestion")}</p>
          <Words before={target.range?.quote ?? ""} after={suggestion.text} />
          {permissions.apply && !suggestion.applied && !resolved && !target.page?.outdated && (
            <Button kind="primary" busy={busy} onClick={() => void attempt(apply)}>
              {t("comment.apply")}
            </Button>
          )}
        </div>
      )}
      {failure !== null && (
        <p role="alert" className={styles.failure}>
          {failureText(failure)}
        </p>
      )}
      {open ? (
        <Replies scope={scope} comment={comment} />
      ) : (
        onOpen && (
          <button type="button" className={styles.more} onClick={onOpen}>
            {comment.replies > 0 ? t("comment.replies", { count: comment.replies }) : t("comment.reply")}
          </button>
        )
      )}
    </section>
  );
}

function Replies({ scope, comment }: { scope: Scope; comment: Comment }) {
  const queries = useQueryClient();
  const writes = discussion(queries, scope);
  const asked = useQuery({ ...repliesQuery(scope, comment.id), enabled: comment.replies > 0 });
  return (
    <>
      {asked.isLoading && <Skeleton lines={2} />}
      {comment.replies > 0 &&
        asked.data?.map((reply) => (
          <Post
            key={reply.id}
            post={reply}
            space={scope.space}
            onChange={(change) => writes.changeReply(comment.id, reply.id, change)}
            onDelete={() => writes.removeReply(comment.id, reply.id)}
          />
        ))}
      {comment.permissions.reply && (
        <Composer
          space={scope.space}
          keep={`reply.${comment.id}`}
          label={t("comment.reply")}
          send={t("comment.send")}
          onSend={(text) => writes.reply(comment.id, text)}
        />
      )}
    </>
  );
}
