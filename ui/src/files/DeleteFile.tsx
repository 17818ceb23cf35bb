import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { Button } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { t } from "../words/words";
import type { File } from "./queries";
import { usesOf } from "./queries";
import { Uses } from "./Uses";

type Props = { space: string; change: number | undefined; file: File; onDelete: () => void; onClose: () => void };

// DeleteFile asks before a file goes, and says where it stands.
export function DeleteFile({ space, change, file, onDelete, onClose }: Props) {
  const cancel = useRef<HTMLButtonElement>(null);
  const asked = useQuery({ ...usesOf(space, change, file.id), staleTime: 0 });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("files.delete.title", { name: file.name })}
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
            {t("files.delete")}
          </Button>
        </>
      }
    >
      <Uses asked={asked} some={t("files.delete.uses")} none={t("files.delete.unused")} />
    </Dialog>
  );
}
