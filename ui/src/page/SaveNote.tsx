// Says in the header how saving goes, in the words of the design; "Saved" only after the server said so.
import { Popover } from "@base-ui/react/popover";
import { Check, CircleAlert, CloudOff, LoaderCircle } from "lucide-react";
import { useRef, useState } from "react";
import { SignInLink } from "../shell/SignInLink";
import { useShortcut } from "../shell/useShortcut";
import { t } from "../words/words";
import styles from "./EditPage.module.css";
import type { SaveState } from "./saving";

// note is what else there is to say about saving.
export function SaveNote({
  state,
  note: more,
  onSave,
}: {
  state: SaveState;
  note?: string | undefined;
  onSave: () => void;
}) {
  const note = useRef<HTMLSpanElement>(null);
  const [about, setAbout] = useState(false);
  // Whoever saves by habit sees that it is done.
  useShortcut("save", () => {
    onSave();
    setAbout(true);
  });
  return (
    <>
      <span ref={note} className={styles.state} data-kind={state.kind} role="status">
        <Note state={state} />
        {state.kind === "failed" && state.signedOut && <SignInLink className={styles.retry} />}
        {state.kind === "failed" && !state.signedOut && (
          <button type="button" className={styles.retry} onClick={onSave}>
            {t("edit.retry")}
          </button>
        )}
      </span>
      <Popover.Root open={about && state.kind !== "waiting"} onOpenChange={setAbout}>
        <Popover.Portal>
          <Popover.Positioner anchor={note} sideOffset={12} align="end" className={styles.aboutPlace}>
            <Popover.Popup className={styles.about} initialFocus={false} finalFocus={false} aria-label={t("keys.save")}>
              <strong className={styles.state} data-kind={state.kind}>
                <Note state={state} />
              </strong>
              <p>{t("edit.about")}</p>
              {more && <p>{more}</p>}
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
    </>
  );
}

function Note({ state }: { state: SaveState }) {
  switch (state.kind) {
    case "saved":
      return (
        <>
          <Check aria-hidden />
          {t("edit.saved")}
        </>
      );
    case "offline":
      return (
        <>
          <CloudOff aria-hidden />
          {state.kept ? t("edit.offline") : t("edit.unkept")}
        </>
      );
    case "failed":
      return (
        <>
          <CircleAlert aria-hidden />
          {t("edit.failed", { reason: state.signedOut ? t("edit.signedOut") : state.reason })}
        </>
      );
    case "conflict":
      return (
        <>
          <CircleAlert aria-hidden />
          {t("edit.failed", { reason: t("edit.conflict") })}
        </>
      );
    default:
      return (
        <>
          <LoaderCircle aria-hidden />
          {t("edit.saving")}
        </>
      );
  }
}
