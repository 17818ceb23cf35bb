// The spaces of an organization in their collections: nested lists that open and close (the disclosure pattern).
import { Link } from "@tanstack/react-router";
import { ChevronRight, Folder, NotebookText } from "lucide-react";
import { useState } from "react";
import type { Space } from "../space/queries";
import { emojiText } from "../space/tree";
import { t } from "../words/words";
import styles from "./Home.module.css";
import { type Place, places } from "./places";
import type { Collection } from "./queries";

type Props = { spaces: Space[]; collections: Collection[]; below?: string };

export function Places({ spaces, collections, below }: Props) {
  const tree = places(spaces, collections, below);
  if (tree.length === 0) return <p className={styles.quiet}>{t("home.emptyCollection")}</p>;
  return <List places={tree} />;
}

function List({ places }: { places: Place[] }) {
  return (
    <ul className={styles.places}>
      {places.map((place) =>
        place.kind === "space" ? <SpaceRow key={place.space.id} space={place.space} /> : <CollectionRow key={place.collection.id} {...place} />,
      )}
    </ul>
  );
}

function SpaceRow({ space }: { space: Space }) {
  const open = space.changeRequestsOpen;
  return (
    <li>
      <Link to="/spaces/$space" params={{ space: space.id }} className={styles.place}>
        {space.emoji ? <span aria-hidden>{emojiText(space.emoji)}</span> : <NotebookText aria-hidden />}
        <span className={styles.name}>{space.title}</span>
        {open > 0 && <span className={styles.count}>{t("home.open", { count: open })}</span>}
      </Link>
    </li>
  );
}

function CollectionRow({ collection, places }: { collection: Collection; places: Place[] }) {
  const [open, setOpen] = useState(true);
  return (
    <li>
      <button type="button" className={styles.place} aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronRight aria-hidden />
        <Folder aria-hidden />
        <span className={`${styles.name} ${styles.group}`}>{collection.title}</span>
        <span className={styles.count}>{t("home.inside", { count: places.length })}</span>
      </button>
      {open && places.length > 0 && <List places={places} />}
    </li>
  );
}
