// Says in the header how saving goes, in the words of the design; "Saved" only after the server said so.
import { Check, CircleAlert, CloudOff, LoaderCircle } from "lucide-react";
import { t } from "../words/words";
import styles from "./EditPage.module.css";
import type { SaveState } from "./saving";

export function SaveNote({ state, onRetry }: { state: SaveState; onRetry: () => void }) {
  return (
    <span className={styles.state} data-kind={state.kind} role="status">
      <Note state={state} />
      {state.kind === "failed" && (
        <button type="button" className={styles.retry} onClick={onRetry}>
          {t("edit.retry")}
        </button>
      )}
    </span>
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
