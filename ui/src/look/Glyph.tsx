import { useCallback } from "react";
import { iconInto } from "../editor/views/icon";

// Glyph is an icon of the dialect by its name. The drawings of most come with the first that is shown.
export function Glyph({ name, className }: { name: string; className?: string }) {
  const draw = useCallback((place: HTMLElement | null) => void (place && iconInto(place, name)), [name]);
  return <span aria-hidden className={className} ref={draw} />;
}
