// Forms that are a search alone: emoji, icons, and where a mention or a card leads.
import { useState } from "react";
import { t, type Key } from "../../words/words";
import { lead } from "../views/lead";
import { emojiChoices, iconChoices, targetChoices, type Target } from "../picker/choices";
import { Picker } from "../picker/Picker";
import type { Ref } from "../services";
import styles from "./Form.module.css";
import type { FormProps } from "./NodeForm";
import { Acts, Select } from "./parts";

const colours = [
  "",
  "red",
  "orange",
  "yellow",
  "green",
  "cyan",
  "blue",
  "violet",
  "purple",
  "pink",
  "$primary",
  "$info",
  "$success",
  "$warning",
  "$danger",
  "$tint",
];

// colourOptions are the colours of the dialect with their names.
export const colourOptions = () =>
  colours.map((value) => ({ value, label: t(`editor.colour.${value.replace("$", "") || "none"}` as Key) }));

export function EmojiForm({ label, set, remove, close }: FormProps) {
  return (
    <>
      <Picker
        label={label}
        placeholder={t("editor.emoji.search")}
        search={emojiChoices}
        onChoose={(code) => {
          set("code", code);
          close();
        }}
        onCancel={close}
      />
      <Acts remove={remove} />
    </>
  );
}

export function IconForm({ label, data, set, remove, close }: FormProps) {
  return (
    <>
      <Picker
        label={label}
        placeholder={t("editor.icon.search")}
        search={iconChoices}
        onChoose={(icon) => {
          set("icon", icon);
          close();
        }}
        onCancel={close}
      />
      <div className={styles.fields}>
        <Select
          label={t("editor.colour")}
          value={String(data["color"] ?? "")}
          options={colourOptions()}
          onChange={(colour) => set("color", colour)}
        />
      </div>
      <Acts remove={remove} />
    </>
  );
}

// made is the target of a choice, which may have to be made first.
export const made = (target: Target): Promise<Target> => (target.make ? target.make() : Promise.resolve(target));

export function TargetForm({ node, services, label, data, set, remove, close }: FormProps) {
  const [fault, setFault] = useState(false);
  const card = node.type.name === "contentRef";
  const ref = data["ref"] as Ref | undefined;
  return (
    <>
      <Picker
        label={label}
        placeholder={t("editor.link.search")}
        search={(words) =>
          targetChoices(services, words, { files: true, people: !card, addresses: card, create: true })
        }
        onChoose={(target) => {
          made(target).then(
            ({ ref }) => {
              set("ref", ref);
              close();
            },
            () => setFault(true),
          );
        }}
        onCancel={close}
      />
      {fault && (
        <p role="alert" className={`${styles.fields} ${styles.fault}`}>
          {t("editor.page.create.failed")}
        </p>
      )}
      <Acts href={lead(services, ref, () => undefined).href} remove={remove} />
    </>
  );
}
