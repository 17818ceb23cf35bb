// What a comment is about, for those who do not see it beside the comment: the words, or the block; it leads there.
import { t } from "../words/words";
import type { Comment } from "./queries";
import styles from "./Thread.module.css";

type Props = { comment: Comment; onGo?: (() => void) | undefined; page?: boolean };

export function About({ comment, onGo, page = false }: Props) {
  const { target } = comment;
  const words = target.range?.quote ?? target.node?.preview;
  const wordless = !words && target.node !== undefined && !target.node.cell;
  const outdated = target.page?.outdated ?? false;
  const title = page && target.page ? target.page.title || t("tree.untitled") : "";
  if (!words && !wordless && !outdated && !title) return null;
  const inner = (
    <>
      {title && <span>{title}</span>}
      {outdated && !comment.suggestion?.applied && <span className={styles.state}>{t("comment.outdated")}</span>}
      {words && <q>{words}</q>}
      {wordless && <span>{t("comment.wordless")}</span>}
    </>
  );
  if (!onGo) return <div className={styles.about}>{inner}</div>;
  return (
    <button type="button" className={styles.about} onClick={onGo}>
      <span className="visually-hidden">{t("comment.go")}: </span>
      {inner}
    </button>
  );
}
