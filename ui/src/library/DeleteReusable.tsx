import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { Uses } from "../files/Uses";
import { Button } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { t } from "../words/words";
import { usesOfReusable } from "./queries";

type Props = { space: string; change: number | undefined; reusable: { id: string; title: string }; onDelete: () => void; onClose: () => void };

// DeleteReusable asks before a reusable content goes, and says what includes it.
export function DeleteReusable({ space, change, reusable, onDelete, onClose }: Props) {
  const cancel = useRef<HTMLButtonElement>(null);
  const asked = useQuery({ ...usesOfReusable(space, change, reusable.id), staleTime: 0 });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("files.delete.title", { name: reusable.title })}
      description={t("files.delete.what")}
      initialFocus={cancel}
      actions={
        <>
          <Button ref={cancel} onClick={onClose}>
            {t("look.cancel")}
          </Button>
          <Button
            kind="danger"
            onClick={() => {
              onDelete();
              onClose();
            }}
          >
            {t("reusables.delete")}
          </Button>
        </>
      }
    >
      <Uses asked={asked} some={t("reusables.delete.uses")} none={t("reusables.delete.unused")} />
    </Dialog>
  );
}
