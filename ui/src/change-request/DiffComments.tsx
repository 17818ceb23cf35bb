// Comments beside the diff of a page: on words, or with the key C on the change that one is at.
import { useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect, useImperativeHandle, useMemo, useRef, useState } from "react";
import { BlockButton } from "../comments/BlockButton";
import { GiveSurface, useCommenting } from "../comments/Commenting";
import { domSurface, selected } from "../comments/dom";
import { SelectionButton } from "../comments/SelectionButton";
import { useMarks } from "../comments/useMarks";
import { space as spaceQuery } from "../space/queries";

type Props = {
  space: string;
  change: number;
  page: string;
  // What the diff is drawn in, and what is drawn there now.
  root: RefObject<HTMLElement | null>;
  drawn: unknown;
  // ask begins a comment.
  ask: RefObject<(() => void) | null>;
};

export function DiffComments({ space, change, page, root, drawn, ask }: Props) {
  const { begin, open } = useCommenting();
  const may = useQuery(spaceQuery(space)).data?.permissions.comment ?? false;
  const [element, setElement] = useState<HTMLElement | null>(null);
  useEffect(() => setElement(root.current), [root]);
  const picked = useRef(open);
  picked.current = open;
  const surface = useMemo(() => element && domSurface(element, (id) => picked.current(id)), [element, drawn]);
  useEffect(() => () => surface?.end(), [surface]);
  useMarks(surface, { space, change }, page);
  const about = (row: HTMLElement) =>
    begin({ page, node: row.dataset["node"], shown: (row.dataset["words"] ?? "").slice(0, 256) });
  useImperativeHandle(ask, () => () => {
    if (!may || !element) return;
    const row = element.contains(document.activeElement)
      ? document.activeElement?.closest<HTMLElement>("[data-node]")
      : null;
    const words = selected(element);
    if (words) begin({ ...words, page });
    else if (row) about(row);
    else begin({ page });
  });
  const rows = () => [...(element?.querySelectorAll<HTMLElement>("[data-node]") ?? [])];
  return (
    <>
      <GiveSurface surface={surface} />
      {element && may && <SelectionButton root={element} page={page} />}
      {element && may && <BlockButton root={element} blocks={rows} onAsk={(row) => about(row as HTMLElement)} />}
    </>
  );
}
