// A dialog that asks for one line, such as a name or a title. What was refused is said at the field, and what was typed
// stays; the same name as before changes nothing.
import { type FormEvent, useId, useState } from "react";
import { t } from "../words/words";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { failureText } from "./Failed";
import { Field } from "./Field";

type Props = {
  title: string;
  // label names the field, first is what is in it at first.
  label: string;
  first: string;
  action: string;
  maxLength: number;
  // prose says that it is written in words; a name of a file is not looked at by a spelling checker.
  prose?: boolean;
  onName: (name: string) => Promise<unknown>;
  onClose: () => void;
};

export function NameDialog({ title, label, first, action, maxLength, prose = true, onName, onClose }: Props) {
  const form = useId();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = String(new FormData(event.currentTarget).get("name")).trim();
    if (given === "" || given === first) return onClose();
    setBusy(true);
    try {
      await onName(given);
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
        <Field
          name="name"
          label={label}
          defaultValue={first}
          error={error}
          required
          maxLength={maxLength}
          autoComplete="off"
          spellCheck={prose}
        />
      </form>
    </Dialog>
  );
}
