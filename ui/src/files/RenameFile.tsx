import { type FormEvent, useId, useState } from "react";
import { Button } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { failureText } from "../look/Failed";
import { Field } from "../look/Field";
import { t } from "../words/words";
import type { File } from "./queries";

type Props = { file: File; onRename: (name: string) => Promise<unknown>; onClose: () => void };

// RenameFile asks for another name. What shows the file goes on doing so.
export function RenameFile({ file, onRename, onClose }: Props) {
  const form = useId();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name")).trim();
    if (name === "" || name === file.name) return onClose();
    setBusy(true);
    try {
      await onRename(name);
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
      title={t("files.rename.title")}
      actions={
        <>
          <Button onClick={onClose}>{t("look.cancel")}</Button>
          <Button kind="primary" type="submit" form={form} busy={busy}>
            {t("files.rename")}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={(event) => void submit(event)}>
        <Field name="name" label={t("files.name")} defaultValue={file.name} error={error} required maxLength={255} autoComplete="off" spellCheck={false} />
      </form>
    </Dialog>
  );
}
