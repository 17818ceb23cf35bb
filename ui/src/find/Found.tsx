// What replacing would make of each page: the words before and after, with what stands around them.
import { t } from "../words/words";
import type { Hit } from "./spaceReplacing";
import type { Match } from "./search";
import styles from "./SpaceReplace.module.css";

// So many pages are listed, so many places of each, and so much around each of them.
const mostPages = 200;
const mostPlaces = 3;
const around = 40;

type Props = { hits: Hit[]; without: ReadonlySet<string>; onToggle: (page: string) => void };

export function Found({ hits, without, onToggle }: Props) {
  return (
    <>
      <ul className={styles.hits} aria-label={t("replace.pages")}>
        {hits.slice(0, mostPages).map((hit) => (
          <li key={hit.page} className={styles.hit}>
            <label className={styles.name}>
              <input type="checkbox" checked={!without.has(hit.page)} onChange={() => onToggle(hit.page)} />
              <span className={styles.title}>{hit.title || t("tree.untitled")}</span>
              {hit.trail && <span className={styles.trail}>{hit.trail}</span>}
              <span className={styles.number}>{hit.matches.length}</span>
            </label>
            {hit.matches.slice(0, mostPlaces).map((match) => (
              <Place key={`${match.block} ${match.from}`} text={hit.texts[match.block] ?? ""} match={match} />
            ))}
            {hit.matches.length > mostPlaces && (
              <p className={styles.more}>{t("replace.more", { count: hit.matches.length - mostPlaces })}</p>
            )}
          </li>
        ))}
      </ul>
      {hits.length > mostPages && (
        <p className={styles.more}>{t("replace.morePages", { count: hits.length - mostPages })}</p>
      )}
    </>
  );
}

function Place({ text, match: { from, to, insert } }: { text: string; match: Match }) {
  const start = Math.max(0, from - around);
  return (
    <p className={styles.place}>
      {start > 0 && "…"}
      {text.slice(start, from)}
      <del>{text.slice(from, to)}</del>
      {insert && <ins>{insert}</ins>}
      {text.slice(to, to + around)}
      {to + around < text.length && "…"}
    </p>
  );
}
