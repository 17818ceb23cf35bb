import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { PanelName } from "./panelNames";
import { type Panel, type PanelPlace, panels } from "./panels";
import { useCompared } from "./useCompared";

export type PanelState = {
  place: PanelPlace;
  offered: Panel[];
  // The panel that is open, null when there is none or the screen does not offer it.
  open: Panel | null;
  show: (panel: PanelName | null) => void;
  // toggle closes what is open, or opens what was open last.
  toggle: () => void;
};

// usePanel is the panel at the right. Which is open stands in the address, so that it stays from page to page.
export function usePanel(): PanelState {
  const { space = "", page, number }: { space?: string; page?: string; number?: string } = useParams({ strict: false });
  const { panel: named, comment }: { panel?: PanelName; comment?: string } = useSearch({ strict: false });
  // A link to a thread opens the discussion.
  const panel = named ?? (comment ? "comments" : undefined);
  const navigate = useNavigate();
  const [last, setLast] = useState<PanelName>(panel ?? "outline");
  const compared = useCompared();
  const place = {
    space,
    compared,
    change: number === undefined ? undefined : Number(number),
    page,
    writing: number !== undefined && page !== undefined,
  };
  const offered = panels.filter((each) => each.offered(place));
  const open = offered.find((each) => each.id === panel) ?? null;
  const show = (next: PanelName | null) => {
    if (next) setLast(next);
    void navigate({
      to: ".",
      search: ((before: object) => ({ ...before, panel: next ?? undefined, comment: undefined })) as never,
      hash: true,
      replace: true,
      resetScroll: false,
    });
  };
  const toggle = () => {
    if (open) show(null);
    else if (offered.length > 0) show((offered.find((each) => each.id === last) ?? offered[0]!).id);
  };
  return { place, offered, open, show, toggle };
}
