import { useRef } from "react";
import { Button } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { t } from "../words/words";

type Props = { title: string; text: string; action: string; onYes: () => void; onClose: () => void };

// Ask asks before something is taken from readers.
export function Ask({ title, text, action, onYes, onClose }: Props) {
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={text}
      initialFocus={cancel}
      actions={
        <>
          <Button ref={cancel} onClick={onClose}>
            {t("look.cancel")}
          </Button>
          <Button kind="danger" onClick={onYes}>
            {action}
          </Button>
        </>
      }
    />
  );
}
