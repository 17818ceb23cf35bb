// What stands around the title of a page where it is read or written, as readers see it: its cover, its sign and its
// tags.
import { useQuery } from "@tanstack/react-query";
import { addressOf } from "../files/queries";
import { Glyph } from "../look/Glyph";
import { emojiText } from "../space/tree";
import { percentOf } from "./cover";
import styles from "./Cover.module.css";
import type { Page } from "./queries";

type Props = { space: string; change: number | undefined; page: Page };

// useAddress is where a picture of the space can be loaded from.
function useAddress(space: string, change: number | undefined, ref: { file?: string } | undefined): string | undefined {
  return useQuery({ ...addressOf(space, change, ref?.file ?? ""), enabled: Boolean(ref?.file) }).data;
}

// Cover is the picture above a page, the other one in the dark.
export function Cover({ space, change, page }: Props) {
  const { cover, layout } = page;
  const shown = layout?.cover !== false;
  const [light, dark] = [
    useAddress(space, change, shown ? cover?.ref : undefined),
    useAddress(space, change, shown ? cover?.refDark : undefined),
  ];
  if (!shown || !cover?.ref?.file) return null;
  const height = !cover.height ? "normal" : cover.height <= 200 ? "short" : cover.height >= 400 ? "tall" : "normal";
  return (
    <picture className={styles.cover} data-height={height}>
      {dark && <source srcSet={dark} media="(prefers-color-scheme: dark)" />}
      {light && <img src={light} alt="" style={{ objectPosition: `50% ${percentOf(cover.yPos)}%` }} />}
    </picture>
  );
}

// TitleSign is the emoji or the icon before a title.
export function TitleSign({ page }: { page: Page }) {
  if (page.emoji) return <span aria-hidden>{emojiText(page.emoji)} </span>;
  if (!page.icon) return null;
  return (
    <span className={styles.sign}>
      <Glyph name={page.icon} />
    </span>
  );
}

// TagList names the tags of a page.
export function TagList({ page }: { page: Page }) {
  const names = (page.tags ?? []).flatMap(({ tag }) => (tag.tag ? [tag.tag] : []));
  if (names.length === 0 || page.layout?.tags === false) return null;
  return (
    <ul className={styles.tags}>
      {names.map((name) => (
        <li key={name}>{name}</li>
      ))}
    </ul>
  );
}
