import { type FormEvent, useId, useState } from "react";
import { Button } from "../../look/Button";
import { Dialog } from "../../look/Dialog";
import { failureText } from "../../look/Failed";
import { Field } from "../../look/Field";
import { Banner } from "../../look/Banner";
import { t } from "../../words/words";
import { Destination, type To } from "./Destination";
import type { Entry, Place } from "./entries";
import type { Shape } from "./LinkList";
import styles from "./Look.module.css";

const looks = ["link", "button-primary", "button-secondary"] as const;

type Props = {
  entry: Entry | undefined;
  shape: Shape;
  place: Place;
  onSave: (entry: Entry) => Promise<unknown>;
  onClose: () => void;
};

// LinkDialog asks what a link says and where it leads. A group of a footer, and a menu of a header, lead nowhere
// themselves.
export function LinkDialog({ entry, shape, place, onSave, onClose }: Props) {
  const form = useId();
  const top = place.length === 1;
  const group = shape === "groups" && top;
  const [title, setTitle] = useState(entry?.title ?? "");
  const [menu, setMenu] = useState(entry !== undefined && !entry.to);
  const [to, setTo] = useState<To | null>(entry?.to ?? { kind: "url", url: "" });
  const [style, setStyle] = useState(entry?.style ?? "link");
  const [condition, setCondition] = useState(entry?.condition ?? "");
  const [translated, setTranslated] = useState(spelled(entry?.localizedTitle));
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState("");
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { condition: _, localizedTitle: __, ...kept } = entry ?? { title: "" };
    const localizedTitle = read(translated);
    const next: Entry = {
      ...kept,
      title: title.trim(),
      ...(Object.keys(localizedTitle).length > 0 ? { localizedTitle } : {}),
    };
    if (!group) next.to = shape === "header" && top && menu ? null : to;
    if (group || (shape === "header" && top)) next.links = entry?.links ?? [];
    if (shape === "header" && top)
      Object.assign(next, { style, ...(condition.trim() ? { condition: condition.trim() } : {}) });
    setBusy(true);
    try {
      await onSave(next);
    } catch (failure) {
      setFault(failureText(failure));
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t(group ? "siteLook.group" : "siteLook.link")}
      actions={
        <>
          <Button onClick={onClose}>{t("look.cancel")}</Button>
          <Button kind="primary" type="submit" form={form} busy={busy}>
            {t("place.save")}
          </Button>
        </>
      }
    >
      <form id={form} className={styles.group} onSubmit={(event) => void submit(event)}>
        <Field
          label={t("home.spaceTitle")}
          value={title}
          required
          maxLength={top ? 128 : 64}
          autoComplete="off"
          onChange={(event) => setTitle(event.target.value)}
        />
        {shape === "header" && top && (
          <>
            <Field
              label={t("siteLook.link.look")}
              value={style}
              onChange={(event) => setStyle(event.target.value)}
              control={
                <select>
                  {looks.map((each) => (
                    <option key={each} value={each}>
                      {t(`siteLook.link.${each}`)}
                    </option>
                  ))}
                </select>
              }
            />
            <label className={styles.choice}>
              <input type="checkbox" checked={menu} onChange={(event) => setMenu(event.target.checked)} />
              {t("siteLook.link.menu")}
            </label>
          </>
        )}
        {!group && !(shape === "header" && top && menu) && <Destination to={to} onChange={setTo} />}
        {shape === "header" && top && (
          <Field
            label={t("siteStructure.condition")}
            hint={t("siteStructure.condition.hint")}
            value={condition}
            maxLength={1024}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setCondition(event.target.value)}
          />
        )}
        <Field
          label={t("siteLook.link.languages")}
          hint={t("siteLook.link.languages.hint")}
          value={translated}
          placeholder="de: Neues"
          autoComplete="off"
          onChange={(event) => setTranslated(event.target.value)}
          control={<textarea rows={2} />}
        />
        {fault && <Banner kind="danger">{fault}</Banner>}
      </form>
    </Dialog>
  );
}

// A title in several languages stands in a text with a line for each.
const spelled = (titles: Record<string, string> = {}) =>
  Object.entries(titles)
    .map(([language, title]) => `${language}: ${title}`)
    .join("\n");

const read = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split("\n").flatMap((line) => {
      const [, language, title] = /^\s*([A-Za-z-]+)\s*:\s*(.*\S)\s*$/.exec(line) ?? [];
      return language && title ? [[language.toLowerCase(), title]] : [];
    }),
  );
