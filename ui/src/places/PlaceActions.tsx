// What can be done with a space or a collection: the menu, and what it opens.
import { useState } from "react";
import { about, type Place } from "../home/places";
import type { Collection } from "../home/queries";
import { AccessDialog } from "./AccessDialog";
import { DeleteDialog } from "./DeleteDialog";
import { MoveDialog } from "./MoveDialog";
import { NewCollectionDialog } from "./NewCollectionDialog";
import { PlaceMenu } from "./PlaceMenu";
import { RenameDialog } from "./RenameDialog";
import { NewSpaceDialog } from "../home/NewSpaceDialog";

export type Doing = "menu" | "rename" | "move" | "access" | "delete" | "newSpace" | "newCollection";

type Props = {
  organization: string;
  place: Place;
  what: Doing;
  anchor: HTMLElement;
  // The places around it; none where it is shown by itself.
  roots: Place[];
  collections: Collection[];
  onStep: (way: "up" | "down") => void;
  onClose: () => void;
  // Called once it is deleted; without it, what called is closed.
  onDeleted?: () => void;
};

export function PlaceActions({
  organization,
  place,
  what,
  anchor,
  roots,
  collections,
  onStep,
  onClose,
  onDeleted,
}: Props) {
  const [doing, setDoing] = useState(what);
  const common = { organization, place, onClose };
  const inside = about(place).id;
  const close = (open: boolean) => !open && onClose();
  switch (doing) {
    case "menu":
      return <PlaceMenu {...common} roots={roots} anchor={anchor} onStep={onStep} onDo={setDoing} />;
    case "rename":
      return <RenameDialog {...common} />;
    case "move":
      return <MoveDialog {...common} collections={collections} />;
    case "access":
      return <AccessDialog place={place} onClose={onClose} />;
    case "delete":
      return <DeleteDialog {...common} {...(onDeleted ? { onDone: onDeleted } : {})} />;
    case "newSpace":
      return (
        <NewSpaceDialog
          organization={organization}
          collections={collections}
          parent={inside}
          open
          onOpenChange={close}
        />
      );
    case "newCollection":
      return <NewCollectionDialog organization={organization} parent={inside} onClose={onClose} />;
  }
}
