// What panels are called in addresses. It is apart from panels.ts since the table of addresses comes with every screen.
export const panelNames = ["outline", "comments", "options", "history"] as const;
export type PanelName = (typeof panelNames)[number];

// validPanel reads the query of an address.
export function validPanel(search: Record<string, unknown>): { panel?: PanelName } {
  const panel = panelNames.find((name) => name === search["panel"]);
  return panel ? { panel } : {};
}
