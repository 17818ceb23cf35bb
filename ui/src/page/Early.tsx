// What stands where the text of a page will be while its editor is loaded: whoever goes on there already loses nothing.
import type { Ref } from "react";
import { Skeleton } from "../look/Skeleton";
import { t } from "../words/words";
import styles from "./EditPage.module.css";

// onText hears of what is typed, and of an empty text when somebody begins. null: they have gone elsewhere.
type Props = { editable: boolean; onText: (typed: string | null) => void; ref: Ref<HTMLTextAreaElement> };

export function Early({ editable, onText, ref }: Props) {
  return (
    <>
      {editable && (
        <textarea
          ref={ref}
          className={styles.early}
          aria-label={t("edit.early")}
          rows={1}
          onFocus={(event) => onText(event.target.value)}
          onChange={(event) => onText(event.target.value)}
          onBlur={(event) => event.target.value === "" && onText(null)}
        />
      )}
      <Skeleton lines={6} />
    </>
  );
}
