import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Space } from "../space/queries";
import { emojiText } from "../space/tree";
import { Time } from "../words/Time";
import { t } from "../words/words";
import styles from "./Home.module.css";

// Below as many spaces, what changed last is seen in the tree anyway.
const few = 3;

// Recent shows the spaces that changed last.
export function Recent({ spaces }: { spaces: UseQueryResult<Space[]> }) {
  if (!spaces.data || spaces.data.length < few) return null;
  const last = spaces.data.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt)).slice(0, 4);
  return (
    <section className={styles.section} aria-labelledby="home-recent">
      <h2 id="home-recent" className={styles.heading}>
        {t("home.recent")}
      </h2>
      <ul className={styles.cards}>
        {last.map((space) => (
          <li key={space.id}>
            <Link to="/spaces/$space" params={{ space: space.id }} className={styles.card}>
              <span className={styles.subject}>
                {space.emoji && <span aria-hidden>{emojiText(space.emoji)} </span>}
                {space.title}
              </span>
              <span className={styles.about}>
                <Time at={space.updatedAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
