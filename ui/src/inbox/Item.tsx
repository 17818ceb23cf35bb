import {
  AtSign,
  CheckCheck,
  CircleCheck,
  Download,
  GitMerge,
  MailOpen,
  Mail,
  MessageSquare,
  MessageSquareDiff,
  TriangleAlert,
} from "lucide-react";
import { Link } from "@tanstack/react-router";
import { IconButton } from "../look/Button";
import { Time } from "../words/Time";
import { t } from "../words/words";
import styles from "./Inbox.module.css";
import { leads, type Notification } from "./queries";

const icons = {
  mention: AtSign,
  reply: MessageSquare,
  "review-request": MessageSquareDiff,
  review: CheckCheck,
  merge: GitMerge,
  conflict: TriangleAlert,
  resolve: CircleCheck,
  import: Download,
};

// Item is one thing that somebody is told of. It leads there, and is read then.
export function Item({ item, onMark }: { item: Notification; onMark: (read: boolean) => void }) {
  const Icon = icons[item.kind];
  const about =
    item.changeRequest && `#${item.changeRequest.number} ${item.changeRequest.subject || t("space.untitledChange")}`;
  const read = item.readAt !== undefined;
  const text = item.import ? t("inbox.imported", { pages: item.import.pages, files: item.import.files }) : item.text;
  return (
    <li className={styles.item} data-read={read}>
      <Link to={leads(item)} className={styles.row} onClick={() => !read && onMark(true)}>
        <span className={styles.sign}>
          <Icon aria-hidden />
        </span>
        <span className={styles.what}>
          <span className={styles.subject}>
            {t(`inbox.kind.${item.kind}`, { actor: item.actor?.displayName ?? t("inbox.somebody") })}
          </span>
          {text && <span className={styles.text}>{text}</span>}
          <span className={styles.about}>
            {[item.space.title, about].filter(Boolean).join(" · ")} · <Time at={item.createdAt} />
          </span>
        </span>
      </Link>
      <IconButton label={t(read ? "inbox.markUnread" : "inbox.markRead")} onClick={() => onMark(!read)}>
        {read ? <Mail /> : <MailOpen />}
      </IconButton>
    </li>
  );
}
