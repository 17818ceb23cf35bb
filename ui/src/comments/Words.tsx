// What would become of words: those that go struck out, those that come underlined.
import { diffWordsWithSpace } from "diff";
import { t } from "../words/words";
import styles from "./Thread.module.css";

export function Words({ before, after }: { before: string; after: string }) {
  return (
    <p className={styles.words}>
      {diffWordsWithSpace(before, after).map((part, index) =>
        part.added ? (
          <ins key={index}>
            <span className="visually-hidden">{t("comment.added")} </span>
            {part.value}
          </ins>
        ) : part.removed ? (
          <del key={index}>
            <span className="visually-hidden">{t("comment.removed")} </span>
            {part.value}
          </del>
        ) : (
          part.value
        ),
      )}
    </p>
  );
}
