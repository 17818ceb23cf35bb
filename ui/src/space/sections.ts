// The one list of the parts of a space beside its pages: what they are called and where they are. To add one, put a row
// here and its screen into src/routes.tsx. Those with more stand behind "More".
import {
  Blocks,
  Braces,
  File,
  FileBraces,
  GitPullRequest,
  History,
  Languages,
  Link2,
  type LucideIcon,
  Recycle,
  Settings,
} from "lucide-react";
import type { Key } from "../words/words";
import type { Space } from "./queries";

type Within = "files" | "reusable-contents" | "variables" | "links" | "openapi";

export type Section = {
  title: Key;
  icon: LucideIcon;
  // Its address on main, and in a change request when it shows that one's content.
  to: `/spaces/$space/${"changes" | "history" | "settings" | "translations" | "integrations" | Within}`;
  within?: `/spaces/$space/changes/$number/${Within}`;
  more?: true;
  // Who sees it; everybody who reads the space without this.
  may?: (space: Space) => boolean;
};

export const sections: Section[] = [
  { title: "change.list", icon: GitPullRequest, to: "/spaces/$space/changes" },
  { title: "history.title", icon: History, to: "/spaces/$space/history" },
  { title: "files.title", icon: File, to: "/spaces/$space/files", within: "/spaces/$space/changes/$number/files" },
  {
    title: "reusables.title",
    icon: Recycle,
    to: "/spaces/$space/reusable-contents",
    within: "/spaces/$space/changes/$number/reusable-contents",
    more: true,
  },
  {
    title: "variables.title",
    icon: Braces,
    to: "/spaces/$space/variables",
    within: "/spaces/$space/changes/$number/variables",
    more: true,
  },
  {
    title: "links.title",
    icon: Link2,
    to: "/spaces/$space/links",
    within: "/spaces/$space/changes/$number/links",
    more: true,
  },
  {
    title: "openapi.title",
    icon: FileBraces,
    to: "/spaces/$space/openapi",
    within: "/spaces/$space/changes/$number/openapi",
    more: true,
  },
  {
    title: "translations.title",
    icon: Languages,
    to: "/spaces/$space/translations",
    more: true,
    may: ({ permissions }) => permissions.edit,
  },
  {
    title: "integrations.title",
    icon: Blocks,
    to: "/spaces/$space/integrations",
    more: true,
    may: ({ permissions }) => permissions.installIntegration,
  },
  {
    title: "settings.title",
    icon: Settings,
    to: "/spaces/$space/settings",
    more: true,
    may: ({ permissions }) => permissions.manage || permissions.listPeople,
  },
];
