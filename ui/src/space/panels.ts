// The one list of the panels at the right of a space: what they are called, and where they are offered. To add one, put
// a row here; its content is loaded when it is first opened.
import { History, ListTree, type LucideIcon, MessageSquare, SlidersHorizontal } from "lucide-react";
import { type ComponentType, lazy, type LazyExoticComponent } from "react";
import type { Key } from "../words/words";
import type { PanelName } from "./panelNames";

// PanelPlace is what the screen beside a panel shows. writing is true where the page is edited; compared is the page
// whose diff is shown.
export type PanelPlace = {
  space: string;
  change: number | undefined;
  page: string | undefined;
  compared: string | undefined;
  writing: boolean;
};

export type Panel = {
  // id is what the address says: ?panel=outline.
  id: PanelName;
  title: Key;
  icon: LucideIcon;
  offered: (place: PanelPlace) => boolean;
  Content: LazyExoticComponent<ComponentType<PanelPlace>>;
};

export const panels: Panel[] = [
  {
    id: "outline",
    title: "panel.outline",
    icon: ListTree,
    offered: ({ page }) => page !== undefined,
    Content: lazy(() => import("./OutlinePanel").then(({ OutlinePanel }) => ({ default: OutlinePanel }))),
  },
  {
    id: "comments",
    title: "panel.comments",
    icon: MessageSquare,
    offered: ({ page, compared }) => (page ?? compared) !== undefined,
    Content: lazy(() => import("../comments/CommentsPanel").then(({ CommentsPanel }) => ({ default: CommentsPanel }))),
  },
  {
    id: "options",
    title: "panel.options",
    icon: SlidersHorizontal,
    offered: ({ page }) => page !== undefined,
    Content: lazy(() => import("../options/OptionsPanel").then(({ OptionsPanel }) => ({ default: OptionsPanel }))),
  },
  {
    id: "history",
    title: "panel.history",
    icon: History,
    offered: ({ page }) => page !== undefined,
    Content: lazy(() => import("../history/HistoryPanel").then(({ HistoryPanel }) => ({ default: HistoryPanel }))),
  },
];
