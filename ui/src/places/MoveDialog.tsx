import { useId, useState } from "react";
import { holds } from "../home/moves";
import { about, type Place } from "../home/places";
import type { Collection } from "../home/queries";
import { useArrange } from "../home/useArrange";
import { Button } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { fold } from "../space/tree";
import { t } from "../words/words";
import styles from "./Places.module.css";

type Props = { organization: string; place: Place; collections: Collection[]; onClose: () => void };

// pathOf names the collections down to one.
export function pathOf(collections: Collection[], id: string | undefined): string {
  const one = collections.find((each) => each.id === id);
  if (!one) return "";
  const above = pathOf(collections, one.parent);
  return above ? `${above} / ${one.title}` : one.title;
}

// From so many collections on there is a field to search with.
const searched = 8;

// MoveDialog takes a place into another collection, or to the top.
export function MoveDialog({ organization, place, collections, onClose }: Props) {
  const form = useId();
  const arrange = useArrange(organization);
  const { title, parent } = about(place);
  const [into, setInto] = useState(parent ?? "");
  const [words, setWords] = useState("");
  const able = collections
    .filter((each) => (each.permissions.create || each.id === parent) && !holds(place, each.id))
    .map((each) => ({ id: each.id, path: pathOf(collections, each.id) }))
    .filter(({ path }) => fold(path).includes(fold(words)));
  const actions = (
    <>
      <Button onClick={onClose}>{t("look.cancel")}</Button>
      <Button kind="primary" type="submit" form={form} busy={arrange.isPending} disabled={into === (parent ?? "")}>
        {t("place.move.go")}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("place.move.title", { title })}
      description={t("place.move.text")}
      actions={actions}
    >
      <form
        id={form}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          arrange.mutate({ place, move: { parent: into || null } }, { onSuccess: onClose });
        }}
      >
        {collections.length > searched && (
          <Field
            label={t("place.move.search")}
            hideLabel
            type="search"
            placeholder={t("place.move.search")}
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
          />
        )}
        <fieldset className={styles.choices}>
          <legend className="visually-hidden">{t("home.spaceParent")}</legend>
          {[{ id: "", path: t("place.move.top") }, ...able].map(({ id, path }) => (
            <label key={id} className={styles.choice}>
              <input type="radio" name="parent" value={id} checked={into === id} onChange={() => setInto(id)} />
              {path}
            </label>
          ))}
        </fieldset>
        {able.length === 0 && <p className={styles.quiet}>{t("place.move.none")}</p>}
        {arrange.isError && <Failed failure={arrange.error} />}
      </form>
    </Dialog>
  );
}
