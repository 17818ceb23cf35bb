// What a change request is for, in the words of its author: read at first, written in the editor of pages.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { changeRequests } from "../api/queries";
import type { JsonDocument } from "../editor/document";
import { Button, IconButton } from "../look/Button";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { t } from "../words/words";
import { Doc, type DocumentNode } from "../document/DocNode";
import styles from "./Description.module.css";
import type { ChangeRequest } from "./draft";
import { write } from "./queries";

const Editor = lazy(() => import("../editor/Editor").then(({ Editor }) => ({ default: Editor })));
const empty: JsonDocument = { object: "document", data: {}, nodes: [] };

export function Description({
  space,
  request,
  editable,
}: {
  space: string;
  request: ChangeRequest;
  editable: boolean;
}) {
  const queries = useQueryClient();
  const [editing, setEditing] = useState(false);
  const given = (request.description as JsonDocument | undefined) ?? empty;
  const typed = useRef<() => JsonDocument>(() => given);
  const save = useMutation({
    mutationFn: () => write.change(space, request.number, { description: typed.current() }),
    onSuccess: (saved) => {
      queries.setQueryData(changeRequests.one(space, request.number), saved);
      void queries.invalidateQueries({ queryKey: changeRequests.merge(space, request.number) });
      setEditing(false);
    },
  });
  if (!editing && given.nodes.length === 0 && !editable) return null;
  const begin = () => {
    typed.current = () => given;
    setEditing(true);
  };
  return (
    <section aria-labelledby="description">
      <div className={styles.head}>
        <h2 id="description" className={styles.heading}>
          {t("change.description")}
        </h2>
        {editable && !editing && (
          <IconButton label={t("change.describe")} onClick={begin}>
            <Pencil />
          </IconButton>
        )}
      </div>
      {editing ? (
        <>
          <Suspense fallback={<Skeleton lines={3} />}>
            <div className={styles.editor}>
              <Editor document={given} label={t("change.description")} onChange={(write) => (typed.current = write)} />
            </div>
          </Suspense>
          {save.isError && <Failed failure={save.error} />}
          <div className={styles.actions}>
            <Button kind="primary" busy={save.isPending} onClick={() => save.mutate()}>
              {t("change.save")}
            </Button>
            <Button kind="quiet" onClick={() => setEditing(false)}>
              {t("change.cancel")}
            </Button>
          </div>
        </>
      ) : given.nodes.length > 0 ? (
        <Doc nodes={given.nodes as DocumentNode[]} />
      ) : (
        <p className={styles.none}>{t("change.noDescription")}</p>
      )}
    </section>
  );
}
