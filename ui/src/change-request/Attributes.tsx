// Attributes that were changed, in words: "Style: info to warning".
import type { ReactNode } from "react";
import { Mention } from "../document/Inlines";
import type { Ref } from "../document/node";
import { Somebody } from "../people/Somebody";
import { t } from "../words/words";
import styles from "./DiffPage.module.css";

type Changed = Record<string, { before?: unknown; after?: unknown }>;

export function Attributes({ list }: { list: Changed }) {
  return (
    <ul className={styles.attributes}>
      {Object.entries(list).map(([name, { before, after }]) => (
        <li key={name}>
          <span className={styles.attribute}>{named(name)}</span> <del>{shown(name, before)}</del>{" "}
          <span className={styles.quiet}>{t("diff.to")}</span> <ins>{shown(name, after)}</ins>
        </li>
      ))}
    </ul>
  );
}

const names = [
  "title",
  "description",
  "slug",
  "style",
  "type",
  "icon",
  "syntax",
  "ref",
  "url",
  "alt",
  "level",
  "linkTitle",
  "emoji",
  "hidden",
  "owner",
  "redirects",
  "formula",
  "checked",
  "label",
  "expression",
] as const;

function shown(name: string, value: unknown): ReactNode {
  if (name === "owner" && typeof value === "string" && value !== "") return <Somebody id={value} />;
  // What is in the space is named as people know it.
  if (typeof value === "object" && value !== null && !Array.isArray(value) && "kind" in value && value.kind !== "url")
    return <Mention to={value as Ref} />;
  return spelt(value);
}

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
  if (Array.isArray(value) && value.every((each) => typeof each === "string"))
    return value.map((each) => `/${each}`).join(", ");
  const { url, page, file, anchor } = value as Record<string, string>;
  return url ?? page ?? file ?? anchor ?? JSON.stringify(value);
}
