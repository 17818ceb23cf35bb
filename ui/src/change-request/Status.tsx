import { Archive, CircleDot, GitMerge, PencilLine } from "lucide-react";
import { t } from "../words/words";
import type { ChangeRequest } from "./draft";
import styles from "./Status.module.css";

const icons = { draft: PencilLine, open: CircleDot, merged: GitMerge, archived: Archive };

// Status says how far a change request is, with an icon and a word.
export function Status({ status }: { status: ChangeRequest["status"] }) {
  const Icon = icons[status];
  return (
    <span className={styles.status} data-status={status}>
      <Icon aria-hidden />
      {t(`change.status.${status}`)}
    </span>
  );
}
