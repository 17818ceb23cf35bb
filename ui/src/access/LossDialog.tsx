import { useRef } from "react";
import { Button } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { t } from "../words/words";
import { roleName } from "./role";
import type { AccessState } from "./useAccess";

// LossDialog says what a change would take from the one who is about to make it.
export function LossDialog({ state: { asked, confirm, cancel } }: { state: AccessState }) {
  const keep = useRef<HTMLButtonElement>(null);
  const left = asked?.loss.left;
  const text = left === "unknown" ? t("access.loss.unknown") : left === null || left === undefined ? t("access.loss.all") : t("access.loss.some", { role: roleName(left) });
  return (
    <Dialog
      open={asked !== undefined}
      onOpenChange={(open) => !open && cancel()}
      title={t("access.loss.title")}
      description={text}
      initialFocus={keep}
      actions={
        <>
          <Button ref={keep} onClick={cancel}>
            {t("look.cancel")}
          </Button>
          <Button kind="danger" onClick={confirm}>
            {t("access.loss.go")}
          </Button>
        </>
      }
    >
      <p>{t("access.loss.back")}</p>
    </Dialog>
  );
}
