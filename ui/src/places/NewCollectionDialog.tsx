import { type FormEvent, useId } from "react";
import { Button } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { t } from "../words/words";
import styles from "./Places.module.css";
import { usePlaceChange } from "./usePlaceChange";

type Props = { organization: string; parent?: string; onClose: () => void };

// NewCollectionDialog makes a collection, within another one or at the top.
export function NewCollectionDialog({ organization, parent, onClose }: Props) {
  const form = useId();
  const { collect } = usePlaceChange(organization);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const filled = new FormData(event.currentTarget);
    const title = String(filled.get("title")).trim();
    const description = String(filled.get("description")).trim();
    if (title)
      collect.mutate(
        { title, ...(description ? { description } : {}), ...(parent ? { parent } : {}) },
        { onSuccess: onClose },
      );
  };
  const actions = (
    <>
      <Button onClick={onClose}>{t("look.cancel")}</Button>
      <Button kind="primary" type="submit" form={form} busy={collect.isPending}>
        {t("place.newCollection.go")}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("home.newCollection")}
      description={t("place.newCollection.text")}
      actions={actions}
    >
      <form id={form} className={styles.form} onSubmit={submit}>
        <Field name="title" label={t("home.spaceTitle")} required maxLength={50} autoComplete="off" />
        <Field
          name="description"
          label={t("place.description")}
          hint={t("place.description.hint")}
          maxLength={100}
          autoComplete="off"
        />
        {collect.isError && <Failed failure={collect.error} />}
      </form>
    </Dialog>
  );
}
