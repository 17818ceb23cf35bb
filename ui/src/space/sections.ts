// The one list of the parts of a space beside its pages: what they are called and where they are. To add one, put a row here
// and its screen into src/routes.tsx. Those with more stand behind "More".
import { File, GitPullRequest, History, type LucideIcon } from "lucide-react";
import type { Key } from "../words/words";
import type { Space } from "./queries";

export type Section = {
  title: Key;
  icon: LucideIcon;
  // Its address on main, and in a change request when it shows that one's content.
  to: "/spaces/$space/changes" | "/spaces/$space/history" | "/spaces/$space/files";
  within?: "/spaces/$space/changes/$number/files";
  more?: true;
  // Who sees it; everybody who reads the space without this.
  may?: (space: Space) => boolean;
};

export const sections: Section[] = [
  { title: "change.list", icon: GitPullRequest, to: "/spaces/$space/changes" },
  { title: "history.title", icon: History, to: "/spaces/$space/history" },
  { title: "files.title", icon: File, to: "/spaces/$space/files", within: "/spaces/$space/changes/$number/files" },
];
