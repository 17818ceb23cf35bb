// The steps from nothing to a published page, which the address names.
export const ways = ["import", "template", "publish"] as const;
export type Way = (typeof ways)[number];

export const validStep = (search: Record<string, unknown>): { with?: Way; space?: string } => {
  const way = ways.find((each) => each === search.with);
  return { ...(way ? { with: way } : {}), ...(typeof search.space === "string" ? { space: search.space } : {}) };
};
