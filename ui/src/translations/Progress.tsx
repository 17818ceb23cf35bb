import { t } from "../words/words";
import { percent } from "./names";
import { shareOf } from "./queries";
import styles from "./Translations.module.css";

type Props = { counts: { words: number; wordsTranslated: number } };

// Progress shows how many of the words are translated.
export function Progress({ counts }: Props) {
  const share = shareOf(counts);
  return (
    <span className={styles.progress}>
      <span className={styles.bar} aria-hidden>
        <span style={{ inlineSize: `${share * 100}%` }} />
      </span>
      <span title={t("translations.words", { done: counts.wordsTranslated, all: counts.words })}>{percent(share)}</span>
    </span>
  );
}
