// Pictures that say nothing to those who do not see them: where each stands, with a field for its alternative text.
// What is written is saved in the draft; the list stays as it was, so that nobody loses their place in it.
import { useQueryClient } from "@tanstack/react-query";
import { ImageOff } from "lucide-react";
import { useMemo, useState } from "react";
import { Button } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { SavedField } from "../options/SavedField";
import { draftFor } from "../space/editing";
import { t } from "../words/words";
import styles from "./AlternativeTexts.module.css";
import { describe } from "./describe";
import type { File, Undescribed } from "./queries";

// So many are shown at once.
const shown = 50;

type Props = {
  space: string;
  change: number | undefined;
  pictures: Undescribed[];
  files: File[];
  // Hears in which change request something was written, undefined for nothing.
  onClose: (change: number | undefined) => void;
};

const keyOf = ({ page, reusableContent, ref }: Undescribed) =>
  [page?.id ?? reusableContent?.id, ref.file ?? ref.url].join(" ");

export function AlternativeTexts({ space, change, pictures, files, onClose }: Props) {
  const queries = useQueryClient();
  const [list] = useState(pictures);
  const [most, setMost] = useState(shown);
  const [written, setWritten] = useState<Record<string, string>>({});
  const [draft, setDraft] = useState<number>();
  const byId = useMemo(() => new Map(files.map((file) => [file.id, file])), [files]);
  const save = async (picture: Undescribed, text: string) => {
    const alt = text.trim();
    if (alt === "") return;
    const number = draft ?? (await draftFor(queries, space, change));
    setDraft(number);
    await describe(queries, space, number, picture, alt);
    setWritten((all) => ({ ...all, [keyOf(picture)]: text }));
  };
  const left = list.filter((picture) => !written[keyOf(picture)]).length;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose(draft)}
      shape="large"
      title={t("files.alt.title")}
      description={t("files.alt.about")}
      actions={
        <Button kind="primary" onClick={() => onClose(draft)}>
          {t("files.alt.done")}
        </Button>
      }
    >
      <p role="status" className={styles.left}>
        {left === 0 ? t("files.alt.all") : t("files.alt.left", { count: left })}
      </p>
      <ul className={styles.list}>
        {list.slice(0, most).map((picture) => {
          const { page, reusableContent, ref, count } = picture;
          const file = ref.file ? byId.get(ref.file) : undefined;
          const key = keyOf(picture);
          const place = page?.title ?? reusableContent?.title ?? "";
          const name = file?.name ?? ref.url ?? ref.file ?? "";
          return (
            <li key={key} className={styles.picture}>
              <span className={styles.look} aria-hidden>
                {file ? <img src={file.downloadURL} alt="" loading="lazy" decoding="async" /> : <ImageOff />}
              </span>
              <span className={styles.about}>
                <SavedField
                  label={t("files.alt.label", { name, place: place || t("tree.untitled") })}
                  value={written[key] ?? ""}
                  disabled={written[key] !== undefined}
                  maxLength={1000}
                  autoComplete="off"
                  onSave={(text) => save(picture, text)}
                />
                {count > 1 && <span className={styles.count}>{t("files.alt.count", { count })}</span>}
              </span>
            </li>
          );
        })}
      </ul>
      {list.length > most && (
        <Button onClick={() => setMost(most + shown)}>{t("files.alt.more", { count: list.length - most })}</Button>
      )}
    </Dialog>
  );
}
