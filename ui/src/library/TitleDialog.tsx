import { type FormEvent, useId, useState } from "react";
import { Button } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { failureText } from "../look/Failed";
import { Field } from "../look/Field";
import { t } from "../words/words";

type Props = { title: string; first: string; action: string; onTitle: (title: string) => Promise<unknown>; onClose: () => void };

// TitleDialog asks for a title.
export function TitleDialog({ title, first, action, onTitle, onClose }: Props) {
  const form = useId();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = String(new FormData(event.currentTarget).get("title")).trim();
    if (given === "" || given === first) return onClose();
    setBusy(true);
    try {
      await onTitle(given);
      onClose();
    } catch (failure) {
      setError(failureText(failure));
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>{t("look.cancel")}</Button>
          <Button kind="primary" type="submit" form={form} busy={busy}>
            {action}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={(event) => void submit(event)}>
        <Field name="title" label={t("home.spaceTitle")} defaultValue={first} error={error} required maxLength={100} autoComplete="off" />
      </form>
    </Dialog>
  );
}
