// A question before something is taken away. The focus is on the button that takes nothing.
import { type ReactNode, useRef } from "react";
import { t } from "../words/words";
import { Button } from "./Button";
import { Dialog } from "./Dialog";

type Props = {
  title: string;
  text: ReactNode;
  // action is what the button says that goes on with it.
  action: string;
  onYes: () => void;
  onClose: () => void;
  // What there is to know first, such as where the thing stands.
  children?: ReactNode;
};

export function AskDialog({ title, text, action, onYes, onClose, children }: Props) {
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
          <Button
            kind="danger"
            onClick={() => {
              onClose();
              onYes();
            }}
          >
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
