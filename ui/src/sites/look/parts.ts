// The parts of the form of a look, and the space whose look it is: the address names them.
export const lookParts = ["theme", "header", "footer", "announcement", "pages", "details"] as const;
export type LookPart = (typeof lookParts)[number];

export const validLook = (search: Record<string, unknown>): { part?: LookPart; space?: string } => {
  const part = lookParts.find((each) => each === search.part);
  return {
    ...(part ? { part } : {}),
    ...(typeof search.space === "string" && /^\w+$/.test(search.space) ? { space: search.space } : {}),
  };
};
