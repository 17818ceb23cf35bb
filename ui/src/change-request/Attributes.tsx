// Attributes that were changed, in words: "Style: info to warning".
import { t } from "../words/words";
import styles from "./DiffPage.module.css";

type Changed = Record<string, { before?: unknown; after?: unknown }>;

export function Attributes({ list }: { list: Changed }) {
  return (
    <ul className={styles.attributes}>
      {Object.entries(list).map(([name, { before, after }]) => (
        <li key={name}>
          <span className={styles.attribute}>{named(name)}</span> <del>{spelt(before)}</del> <span className={styles.quiet}>{t("diff.to")}</span>{" "}
          <ins>{spelt(after)}</ins>
        </li>
      ))}
    </ul>
  );
}

const names = ["title", "description", "slug", "style", "type", "icon", "syntax", "ref", "url", "alt", "level", "linkTitle", "emoji", "hidden"] as const;

// named writes the name of an attribute as people call it; one without a word of its own is written as in the API.
export function named(name: string): string {
  const known = names.find((each) => each === name);
  return known ? t(`diff.attribute.${known}`) : name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

// spelt writes a value.
export function spelt(value: unknown): string {
  if (value === undefined || value === null || value === "") return t("diff.none");
  if (typeof value === "boolean") return t(value ? "diff.yes" : "diff.no");
  if (typeof value !== "object") return String(value);
  const { url, page, file, anchor } = value as Record<string, string>;
  return url ?? page ?? file ?? anchor ?? JSON.stringify(value);
}
