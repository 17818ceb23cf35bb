import { useEffect, useMemo, useRef } from "react";
import { Failure } from "../api/client";
import { type Surface, useCommenting } from "../comments/Commenting";
import { useMarks } from "../comments/useMarks";
import type { Places } from "../editor/Editor";
import { t } from "../words/words";
import type { Saver } from "./saving";
import type { Place } from "./server";

// useDiscussed lets comments be made on the text that is written, and shows what they are about.
export function useDiscussed({ space, change, page }: Place, places: Places | null, saving: Saver): Surface | null {
  const { begin, open } = useCommenting();
  const newest = useRef({ begin, open });
  newest.current = { begin, open };
  useEffect(() => {
    places?.asks(
      (target) => newest.current.begin({ ...target, page }),
      (id) => newest.current.open(id),
    );
  }, [places, page]);
  const surface = useMemo<Surface | null>(
    () =>
      places && {
        ...places,
        ready: () => saving.saved().catch(() => Promise.reject(new Failure(409, t("comment.unsaved")))),
        changed: () => saving.refresh(),
      },
    [places, saving],
  );
  useMarks(surface, { space, change }, page);
  return surface;
}
