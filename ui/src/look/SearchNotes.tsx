// What is said of the pages that a search found together: none has all the words, something else may have been meant,
// or pages are still being indexed.
import { t } from "../words/words";
import { Button } from "./Button";
import styles from "./SearchNotes.module.css";

export interface Notes {
  closest: boolean;
  incomplete: boolean;
  suggestion?: string;
}

type Props = { notes: Notes | undefined; onMeant: (words: string) => void };

export function SearchNotes({ notes, onMeant }: Props) {
  const said = notes && (notes.closest || notes.incomplete || notes.suggestion);
  return (
    <div role="status" className={styles.notes} hidden={!said}>
      {notes?.incomplete && <p>{t("look.found.incomplete")}</p>}
      {notes?.closest && <p>{t("look.found.closest")}</p>}
      {notes?.suggestion && (
        <p>
          {t("look.found.meant")}{" "}
          <Button kind="quiet" onClick={() => onMeant(notes.suggestion!)}>
            {notes.suggestion}
          </Button>
        </p>
      )}
    </div>
  );
}
