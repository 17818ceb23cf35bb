import { type FormEvent, useId, useState } from "react";
import { about, type Place } from "../home/places";
import { Button } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { emojiText } from "../space/tree";
import { t } from "../words/words";
import { EmojiField } from "./EmojiField";
import styles from "./Places.module.css";
import { usePlaceChange } from "./usePlaceChange";

type Props = { organization: string; place: Place; onClose: () => void };

// RenameDialog gives a space another name and icon, or a collection another name and description.
export function RenameDialog({ organization, place, onClose }: Props) {
  const form = useId();
  const { rename } = usePlaceChange(organization);
  const { title } = about(place);
  const [emoji, setEmoji] = useState(place.kind === "space" ? emojiText(place.space.emoji) : "");
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const filled = new FormData(event.currentTarget);
    const name = String(filled.get("title")).trim();
    if (!name) return;
    const rest =
      place.kind === "space"
        ? { emoji: emoji || null }
        : { description: String(filled.get("description")).trim() || null };
    rename.mutate({ place, fields: { title: name, ...rest } }, { onSuccess: onClose });
  };
  const actions = (
    <>
      <Button onClick={onClose}>{t("look.cancel")}</Button>
      <Button kind="primary" type="submit" form={form} busy={rename.isPending}>
        {t("place.save")}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("place.rename.title", { title })}
      actions={actions}
    >
      <form id={form} className={styles.form} onSubmit={submit}>
        <Field
          name="title"
          label={t("home.spaceTitle")}
          required
          maxLength={50}
          autoComplete="off"
          defaultValue={title}
          autoFocus
          onFocus={(event) => event.currentTarget.select()}
        />
        {place.kind === "space" ? (
          <EmojiField value={emoji} onChange={setEmoji} />
        ) : (
          <Field
            name="description"
            label={t("place.description")}
            hint={t("place.description.hint")}
            maxLength={100}
            autoComplete="off"
            defaultValue={place.collection.description ?? ""}
          />
        )}
        {rename.isError && <Failed failure={rename.error} />}
      </form>
    </Dialog>
  );
}
