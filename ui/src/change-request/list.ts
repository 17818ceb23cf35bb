// What a list of change requests shows, and in which order.
import type { ChangeRequest } from "./draft";

// sorts are the orders that a list can have.
export const sorts = ["updated", "created", "subject"] as const;
export type Sort = (typeof sorts)[number];

// matching keeps those that have every word in their subject, number or author's name, and, where an author's id is
// given, those that the author made.
export const matching = (list: ChangeRequest[], text: string, author = "") => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return list.filter(
    (each) =>
      (author === "" || each.createdBy.id === author) &&
      words.every((word) =>
        `#${each.number} ${each.subject} ${each.createdBy.displayName}`.toLowerCase().includes(word),
      ),
  );
};

// sorted is a list in an order.
export const sorted = (list: ChangeRequest[], by: Sort) =>
  list.toSorted((a, b) =>
    by === "subject"
      ? a.subject.localeCompare(b.subject)
      : by === "created"
        ? b.number - a.number
        : b.updatedAt < a.updatedAt
          ? -1
          : 1,
  );

// authors are those who made what a list has, each with how many; by name.
export const authors = (list: ChangeRequest[]) => {
  const found = new Map<string, { user: ChangeRequest["createdBy"]; count: number }>();
  for (const { createdBy: user } of list) {
    found.set(user.id, { user, count: (found.get(user.id)?.count ?? 0) + 1 });
  }
  return [...found.values()].toSorted((a, b) => a.user.displayName.localeCompare(b.user.displayName));
};
