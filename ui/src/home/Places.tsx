// The spaces of an organization in their collections: nested lists that open and close (the disclosure pattern), whose
// rows are arranged by dragging, by keys and by a menu.
import { Suspense, useMemo, useState } from "react";
import { Failed } from "../look/Failed";
import type { Space } from "../space/queries";
import { later } from "../words/later";
import { t } from "../words/words";
import styles from "./Places.module.css";
import { dropped, stepped } from "./moves";
import { PlaceRow } from "./PlaceRow";
import { about, type Place, places } from "./places";
import type { Collection } from "./queries";
import { useArrange } from "./useArrange";
import { type Dragged, DragContext } from "./usePlaceDrag";

const PlaceActions = later(() => import("../places/PlaceActions").then(({ PlaceActions }) => PlaceActions));

// Asked is what somebody wants to do with a place: the menu, or one of the things in it.
export type Asked = { place: Place; what: "menu" | "rename" | "delete"; anchor: HTMLElement };

type Props = { organization: string; spaces: Space[]; collections: Collection[]; below?: string };

export function Places({ organization, spaces, collections, below }: Props) {
  const tree = useMemo(() => places(spaces, collections, below), [spaces, collections, below]);
  const [asked, ask] = useState<Asked>();
  const [dragged, drag] = useState<Dragged>();
  const arrange = useArrange(organization);
  const onStep = (place: Place, way: "up" | "down") => {
    const move = stepped(tree, about(place).id, way);
    if (move) arrange.mutate({ place, move });
  };
  const onDrop = (moved: Place, target: Place, where: Dragged["where"]) => {
    const move = where && dropped(moved, target, where);
    drag(undefined);
    if (move) arrange.mutate({ place: moved, move });
  };
  if (tree.length === 0) return <p className={styles.none}>{t("home.emptyCollection")}</p>;
  const moved = arrange.variables?.place;
  return (
    <DragContext value={{ dragged, drag, onDrop }}>
      {arrange.isError && <Failed failure={arrange.error} />}
      <List places={tree} onAsk={ask} onStep={onStep} />
      <p className="visually-hidden" role="status">
        {arrange.isSuccess && moved && t("home.moved", { title: about(moved).title })}
      </p>
      {asked && (
        <Suspense fallback={null}>
          <PlaceActions
            key={about(asked.place).id}
            organization={organization}
            {...asked}
            roots={tree}
            collections={collections}
            onStep={(way) => onStep(asked.place, way)}
            onClose={() => {
              ask(undefined);
              asked.anchor.focus();
            }}
          />
        </Suspense>
      )}
    </DragContext>
  );
}

type ListProps = { places: Place[]; onAsk: (asked: Asked) => void; onStep: (place: Place, way: "up" | "down") => void };

function List({ places, ...act }: ListProps) {
  return (
    <ul className={styles.places}>
      {places.map((place) =>
        place.kind === "space" ? (
          <PlaceRow key={place.space.id} place={place} {...act} />
        ) : (
          <Collected key={place.collection.id} place={place} {...act} />
        ),
      )}
    </ul>
  );
}

type CollectedProps = Omit<ListProps, "places"> & { place: Extract<Place, { kind: "collection" }> };

// Collected is a collection with what is in it.
function Collected({ place, ...act }: CollectedProps) {
  const [open, setOpen] = useState(true);
  return (
    <PlaceRow place={place} open={open} onToggle={() => setOpen(!open)} {...act}>
      {open && place.places.length > 0 && <List places={place.places} {...act} />}
    </PlaceRow>
  );
}
