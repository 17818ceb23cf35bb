// The site that the screens of a site are about. SiteFrame has asked for it before it shows them.
import { createContext, useContext } from "react";
import type { Site } from "./queries";
import type { SiteChange } from "./useSite";

export type Shown = { organization: string; site: Site; change: SiteChange };

export const ShownSite = createContext<Shown | null>(null);

// useShown returns the site that is shown.
export function useShown(): Shown {
  const shown = useContext(ShownSite);
  if (!shown) throw new Error("no site is shown");
  return shown;
}
