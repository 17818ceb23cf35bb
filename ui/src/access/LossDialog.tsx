import { useRef } from "react";
import { Button } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { t } from "../words/words";
import type { Loss } from "./loss";
import { roleName } from "./role";

type Props = { loss: Loss; onConfirm: () => void; onCancel: () => void };

// LossDialog says what a change would take from the one who is about to make it. It is open while there is a loss.
export function LossDialog({ loss, onConfirm, onCancel }: Props) {
  const keep = useRef<HTMLButtonElement>(null);
  const left = loss?.left;
  const text =
    left === "unknown"
      ? t("access.loss.unknown")
      : left === null || left === undefined
        ? t("access.loss.all")
        : t("access.loss.some", { role: roleName(left) });
  return (
    <Dialog
      open={loss !== undefined}
      onOpenChange={(open) => !open && onCancel()}
      title={t("access.loss.title")}
      description={text}
      initialFocus={keep}
      actions={
        <>
          <Button ref={keep} onClick={onCancel}>
            {t("look.cancel")}
          </Button>
          <Button kind="danger" onClick={onConfirm}>
            {t("access.loss.go")}
          </Button>
        </>
      }
    >
      <p>{t("access.loss.back")}</p>
    </Dialog>
  );
}
