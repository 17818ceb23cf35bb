import { useRef } from "react";
import { Button } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { Failed } from "../look/Failed";
import { exactly } from "../words/time";
import { t } from "../words/words";
import type { Revision } from "./queries";

type Props = { revision: Revision; busy: boolean; failure: unknown; onBack: () => void; onClose: () => void };

// GoBack asks before a space has the content of an earlier revision again.
export function GoBack({ revision, busy, failure, onBack, onClose }: Props) {
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("history.back.title")}
      description={t("history.back.what", { moment: exactly(revision.createdAt) })}
      initialFocus={cancel}
      actions={
        <>
          <Button ref={cancel} onClick={onClose}>
            {t("look.cancel")}
          </Button>
          <Button kind="primary" busy={busy} onClick={onBack}>
            {t("history.back")}
          </Button>
        </>
      }
    >
      {failure ? <Failed failure={failure} /> : null}
    </Dialog>
  );
}
