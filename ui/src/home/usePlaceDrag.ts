import { createContext, type DragEvent, useContext } from "react";
import { dropped, type Where, whereIn } from "./moves";
import { about, type Place } from "./places";

// Dragged is what is dragged, and over what.
export type Dragged = { place: Place; over?: string; where?: Where };

type Drag = {
  dragged: Dragged | undefined;
  drag: (dragged: Dragged | undefined) => void;
  onDrop: (moved: Place, target: Place, where: Where | undefined) => void;
};

export const DragContext = createContext<Drag>({ dragged: undefined, drag: () => {}, onDrop: () => {} });

// usePlaceDrag makes a row something that can be dragged, and let go on. over says where a line or a fill is to show.
export function usePlaceDrag(place: Place) {
  const { dragged, drag, onDrop } = useContext(DragContext);
  const { id, permissions } = about(place);
  const row = {
    draggable: permissions.manage,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", about(place).title);
      drag({ place });
    },
    onDragEnd: () => drag(undefined),
    onDragOver: (event: DragEvent) => {
      if (!dragged) return;
      const { top, height } = event.currentTarget.getBoundingClientRect();
      const where = whereIn(place, dragged.place, (event.clientY - top) / height);
      if (!dropped(dragged.place, place, where)) return;
      event.preventDefault();
      if (dragged.over !== id || dragged.where !== where) drag({ place: dragged.place, over: id, where });
    },
    onDragLeave: () => dragged?.over === id && drag({ place: dragged.place }),
    onDrop: (event: DragEvent) => {
      if (!dragged) return;
      event.preventDefault();
      onDrop(dragged.place, place, dragged.where);
    },
  };
  return {
    row,
    over: dragged?.over === id ? dragged.where : undefined,
    isDragged: dragged !== undefined && about(dragged.place).id === id,
  };
}
