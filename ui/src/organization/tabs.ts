// The parts of the settings, which the address names, and what the log is filtered by; general is the first part and is
// not named.
export const tabs = ["general", "sign-in", "search", "audit"] as const;
export type Tab = (typeof tabs)[number];

export type Shown = { show?: Tab; actor?: string; action?: string; from?: string; to?: string };

const day = /^\d{4}-\d{2}-\d{2}$/;

export const validSettings = (search: Record<string, unknown>): Shown => {
  const show = tabs.find((each) => each === search.show);
  const text = (name: "actor" | "action" | "from" | "to", form = /^\S+$/) => {
    const value = search[name];
    return typeof value === "string" && form.test(value) ? { [name]: value } : {};
  };
  return {
    ...(show && show !== "general" ? { show } : {}),
    ...text("actor"),
    ...text("action"),
    ...text("from", day),
    ...text("to", day),
  };
};

// span turns days, as people mean them, into moments: from the beginning of the first to the end of the last.
export function span({ from, to }: Shown): { from?: string; to?: string } {
  const moment = (date: string, days: number) => {
    const at = new Date(`${date}T00:00:00`);
    at.setDate(at.getDate() + days);
    return at.toISOString();
  };
  const valid = (date: string | undefined): date is string => date !== undefined && !Number.isNaN(Date.parse(date));
  return { ...(valid(from) ? { from: moment(from, 0) } : {}), ...(valid(to) ? { to: moment(to, 1) } : {}) };
}
