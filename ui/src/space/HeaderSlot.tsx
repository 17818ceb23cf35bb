// A place in the header of a space that the screen fills: <HeaderSlot name="state">Saved</HeaderSlot>. "state" is how
// saving goes, "action" the one main button; a screen that gives an action takes the place of "Edit".
import { createContext, type ReactNode, useContext, useLayoutEffect, useState } from "react";
import { createPortal } from "react-dom";

export type SlotName = "state" | "action";
type Slots = {
  places: Partial<Record<SlotName, HTMLElement | null>>;
  setPlace: (name: SlotName, element: HTMLElement | null) => void;
  filled: Partial<Record<SlotName, number>>;
  count: (name: SlotName, by: 1 | -1) => void;
};
const Context = createContext<Slots | null>(null);

export function SlotHost({ children }: { children: ReactNode }) {
  const [places, setPlaces] = useState<Slots["places"]>({});
  const [filled, setFilled] = useState<Slots["filled"]>({});
  const [{ setPlace, count }] = useState(() => ({
    setPlace: (name: SlotName, element: HTMLElement | null) =>
      setPlaces((now) => (now[name] === element ? now : { ...now, [name]: element })),
    count: (name: SlotName, by: 1 | -1) => setFilled((now) => ({ ...now, [name]: (now[name] ?? 0) + by })),
  }));
  return <Context value={{ places, setPlace, filled, count }}>{children}</Context>;
}

// SlotPlace is where in the header the slot is. otherwise stands there while no screen fills it.
export function SlotPlace({
  name,
  className,
  otherwise,
}: {
  name: SlotName;
  className?: string | undefined;
  otherwise?: ReactNode;
}) {
  const slots = useContext(Context);
  const setPlace = slots?.setPlace;
  const [take] = useState(() => (element: HTMLElement | null) => setPlace?.(name, element));
  return (
    <>
      {!slots?.filled[name] && otherwise}
      <span ref={take} className={className} />
    </>
  );
}

export function HeaderSlot({ name, children }: { name: SlotName; children: ReactNode }) {
  const slots = useContext(Context);
  const count = slots?.count;
  // Whether somebody fills a place is known only once they are there.
  useLayoutEffect(() => {
    count?.(name, 1);
    return () => count?.(name, -1);
  }, [count, name]);
  const place = slots?.places[name];
  return place ? createPortal(children, place) : null;
}
