// A comment or a reply: who wrote it, what, and what can be done with it.
import { useQuery } from "@tanstack/react-query";
import { Ellipsis, Link2, Pencil, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Avatar } from "../look/Avatar";
import { Button, IconButton } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { failureText } from "../look/Failed";
import { Menu, MenuItem } from "../look/Menu";
import { me as meQuery } from "../change-request/draft";
import { Time } from "../words/Time";
import { t } from "../words/words";
import { Composer } from "./Composer";
import { readable } from "./draft";
import { render } from "./markdown";
import styles from "./Post.module.css";
import type { Comment, Reply } from "./queries";
import { React, Reactions } from "./Reactions";

type Props = {
  post: Comment | Reply;
  space: string;
  // What else stands among its buttons.
  actions?: ReactNode;
  onChange: (change: { markdown?: string; addedReactions?: string[]; removedReactions?: string[] }) => Promise<unknown>;
  onDelete: () => Promise<unknown>;
  onCopy?: (() => void) | undefined;
};

export function Post({ post, space, actions, onChange, onDelete, onCopy }: Props) {
  const me = useQuery(meQuery).data?.id ?? "";
  const [editing, setEditing] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const { permissions } = post;
  const markdown = post.body.markdown ?? "";
  const attempt = async (what: () => Promise<unknown>) => {
    setFailure(null);
    setBusy(true);
    try {
      await what();
    } catch (reason) {
      setFailure(reason);
    }
    setBusy(false);
  };
  const react = (emoji: string, on: boolean) =>
    void attempt(() => onChange(on ? { addedReactions: [emoji] } : { removedReactions: [emoji] }));
  const more = permissions.edit || permissions.delete || onCopy;
  return (
    <article className={styles.post} aria-label={t("comment.by", { author: post.postedBy.displayName })}>
      <header className={styles.head}>
        <Avatar size="small" name={post.postedBy.displayName} picture={post.postedBy.photoURL} />
        <span className={styles.author}>{post.postedBy.displayName}</span>
        <span className={styles.time}>
          <Time at={post.postedAt} />
          {post.editedAt && ` · ${t("comment.edited")}`}
        </span>
        <span className={styles.tools}>
          {actions}
          {permissions.reply && <React onReact={(emoji) => react(emoji, true)} />}
          {more && (
            <Menu
              trigger={
                <IconButton label={t("comment.more")}>
                  <Ellipsis />
                </IconButton>
              }
            >
              {onCopy && (
                <MenuItem icon={<Link2 aria-hidden />} onClick={onCopy}>
                  {t("comment.copy")}
                </MenuItem>
              )}
              {permissions.edit && (
                <MenuItem icon={<Pencil aria-hidden />} onClick={() => setEditing(true)}>
                  {t("comment.edit")}
                </MenuItem>
              )}
              {permissions.delete && (
                <MenuItem danger icon={<Trash2 aria-hidden />} onClick={() => setDeleting(true)}>
                  {t("comment.delete")}
                </MenuItem>
              )}
            </Menu>
          )}
        </span>
      </header>
      {editing ? (
        <Composer
          space={space}
          keep={`edit.${post.id}`}
          first={readable(markdown)}
          label={t("comment.text")}
          send={t("comment.save")}
          autoFocus
          onCancel={() => setEditing(false)}
          onSend={async (text) => {
            await onChange({ markdown: text });
            setEditing(false);
          }}
        />
      ) : (
        markdown && <div className={styles.body} dir="auto" dangerouslySetInnerHTML={{ __html: render(markdown) }} />
      )}
      <Reactions list={post.reactions} me={me} able={permissions.reply} onReact={react} />
      {failure !== null && (
        <p role="alert" className={styles.failure}>
          {failureText(failure)}
        </p>
      )}
      <Dialog
        open={deleting}
        onOpenChange={setDeleting}
        title={t(post.object === "comment" ? "comment.delete.thread" : "comment.delete.reply")}
        description={t("comment.delete.text")}
        actions={
          <>
            <Button onClick={() => setDeleting(false)}>{t("comment.cancel")}</Button>
            <Button
              kind="danger"
              busy={busy}
              onClick={() =>
                void attempt(async () => {
                  await onDelete();
                  setDeleting(false);
                })
              }
            >
              {t("comment.delete")}
            </Button>
          </>
        }
      />
    </article>
  );
}
