import { ArrowRight, BookOpen, FileText, GitPullRequestArrow, Globe, Hash, UserRound } from "lucide-react";
import { t } from "../words/words";
import type { Entry } from "./entries";
import styles from "./Palette.module.css";

const icons = {
  command: ArrowRight,
  space: BookOpen,
  change: GitPullRequestArrow,
  person: UserRound,
  site: Globe,
  page: FileText,
  section: Hash,
};

type Props = { id: string; entry: Entry; chosen: boolean; onChoose: () => void; onPoint: () => void };

// Row is one thing that the palette offers. Keys belong to the field.
export function Row({ id, entry, chosen, onChoose, onPoint }: Props) {
  const Icon = icons[entry.kind];
  return (
    <li
      id={id}
      role="option"
      aria-selected={chosen}
      className={styles.row}
      data-kind={entry.kind}
      onClick={onChoose}
      onPointerMove={() => !chosen && onPoint()}
    >
      <Icon aria-hidden />
      <span className={styles.name}>{entry.title}</span>
      {entry.about && <span className={styles.about}>{entry.about}</span>}
      <span className={styles.kind}>{t(`palette.kind.${entry.kind}`)}</span>
    </li>
  );
}
