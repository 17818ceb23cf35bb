import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { type Anchor, type Surface, useCommenting } from "./Commenting";
import { type Comment, type Scope, threads } from "./queries";

// What is marked for a comment that is being written.
const fresh = "new";

// anchorOf is what a comment is about, null for one on the page as a whole or on what is gone.
function anchorOf({ id, target }: Comment): Anchor | null {
  if (!target.node || target.page?.outdated) return null;
  return { id, quote: target.range ?? null, node: target.node.id, preview: target.node.preview ?? "" };
}

// useMarks marks the words of a page that open comments are about, and those of the thread that is open.
export function useMarks(surface: Surface | null, scope: Scope, page: string): void {
  const { active, target: begun } = useCommenting();
  const target = begun?.page === page ? begun : null;
  const list = useQuery({ ...threads(scope, page), enabled: page !== "" }).data;
  useEffect(() => {
    const seen = (list ?? []).filter((each) => each.status === "open" || each.id === active);
    const anchors = seen.flatMap((each) => anchorOf(each) ?? []);
    const { quote, node, shown } = target ?? {};
    if (quote || node) anchors.push({ id: fresh, quote: quote ?? null, node: node ?? "", preview: shown ?? "" });
    surface?.show(anchors, target ? fresh : active);
  }, [surface, list, active, target]);
}
