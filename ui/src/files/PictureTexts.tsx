// The alternative texts of one picture: one for each place where it stands and text that it has there, to be changed.
// What is written is saved in the draft.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, taken } from "../api/client";
import { Button } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { SavedField } from "../options/SavedField";
import { draftFor } from "../space/editing";
import { space as spaceQuery } from "../space/queries";
import { t } from "../words/words";
import styles from "./AlternativeTexts.module.css";
import { describe, documentIn, textsOf } from "./describe";
import { type File, type Use, usesOf } from "./queries";

// So many places are looked at.
const most = 50;

type Text = { use: Use; alt: string };
type Props = {
  space: string;
  change: number | undefined;
  file: File;
  // Hears in which change request something was written, undefined for nothing.
  onClose: (change: number | undefined) => void;
};

export function PictureTexts({ space, change, file, onClose }: Props) {
  const queries = useQueryClient();
  const [draft, setDraft] = useState<number>();
  // What stands at a place now, by what stood there at first: the list stays as it was.
  const [written, setWritten] = useState<Record<string, string>>({});
  const ref = { kind: "file", file: file.id } as const;
  const asked = useQuery({
    queryKey: [...usesOf(space, change, file.id).queryKey, "texts"],
    queryFn: async (): Promise<Text[]> => {
      const path = { spaceId: space };
      const { revision } = await (change === undefined
        ? queries.fetchQuery({ ...spaceQuery(space), staleTime: 0 })
        : taken(
            api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}", {
              params: { path: { ...path, changeRequestId: String(change) } },
            }),
          ));
      const uses = await queries.fetchQuery({ ...usesOf(space, change, file.id), staleTime: 0 });
      const found = await Promise.all(
        uses
          .slice(0, most)
          .map(async (use) => textsOf(await documentIn(space, revision, use), ref).map((alt) => ({ use, alt }))),
      );
      return found.flat();
    },
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const save = async ({ use, alt }: Text, key: string, text: string) => {
    const next = text.trim();
    const was = written[key] ?? alt;
    if (next === was) return;
    const number = draft ?? (await draftFor(queries, space, change));
    setDraft(number);
    await describe(
      queries,
      space,
      number,
      { ref, [use.page ? "page" : "reusableContent"]: { id: use.id, title: use.title } },
      next,
      was,
    );
    setWritten((all) => ({ ...all, [key]: next }));
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose(draft)}
      shape="large"
      title={t("files.alt.of", { name: file.name })}
      description={t("files.alt.about")}
      actions={
        <Button kind="primary" onClick={() => onClose(draft)}>
          {t("files.alt.done")}
        </Button>
      }
    >
      {asked.isPending && <Skeleton shape="rows" lines={2} />}
      {asked.isError && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.data?.length === 0 && <p className={styles.left}>{t("files.alt.nowhere")}</p>}
      <ul className={styles.list}>
        {asked.data?.map((text, index) => {
          const key = `${index} ${text.use.id}`;
          return (
            <li key={key} className={styles.picture}>
              <span className={styles.look} aria-hidden>
                <img src={file.downloadURL} alt="" loading="lazy" decoding="async" />
              </span>
              <span className={styles.about}>
                <SavedField
                  label={t("files.alt.place", { place: text.use.title || t("tree.untitled") })}
                  value={written[key] ?? text.alt}
                  maxLength={1000}
                  autoComplete="off"
                  onSave={(next) => save(text, key, next)}
                />
              </span>
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}
