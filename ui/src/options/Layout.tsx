// What stands around the text of a page on the site.
import type { Schemas } from "../api/client";
import { t } from "../words/words";
import styles from "./Options.module.css";
import { Toggle } from "./Toggle";

const parts = [
  "cover",
  "title",
  "description",
  "tags",
  "tableOfContents",
  "outline",
  "pagination",
  "metadata",
  "actions",
  "anchors",
] as const;

type Props = { layout: Schemas["PageLayout"]; onChange: (part: Partial<Schemas["PageLayout"]>) => void };

export function Layout({ layout, onChange }: Props) {
  return (
    <section className={styles.part} aria-labelledby="options-layout">
      <h3 id="options-layout" className={styles.title}>
        {t("options.layout")}
      </h3>
      <Toggle
        label={t("options.layout.wide")}
        checked={layout.width === "wide"}
        onChange={(wide) => onChange({ width: wide ? "wide" : "default" })}
      />
      {parts.map((part) => (
        <Toggle
          key={part}
          label={t(`options.layout.${part}`)}
          checked={layout[part]}
          onChange={(shown) => onChange({ [part]: shown })}
        />
      ))}
    </section>
  );
}
