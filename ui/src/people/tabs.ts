// The lists of people, which the address names; members is the first and is not named.
export const tabs = ["members", "teams", "invitations"] as const;
export type Tab = (typeof tabs)[number];

export const validTab = (search: Record<string, unknown>): { show?: Tab } => {
  const show = tabs.find((each) => each === search.show);
  return show && show !== "members" ? { show } : {};
};
