import { expect, test } from "vitest";
import type { ChangeRequest } from "./draft";
import { authors, matching, sorted } from "./list";

const made = (number: number, subject: string, name: string, updatedAt: string) =>
  ({ number, subject, createdBy: { id: name.toLowerCase(), displayName: name }, updatedAt }) as ChangeRequest;

const list = [
  made(1, "Say how tables sort", "Grace", "2026-03-01T00:00:00Z"),
  made(2, "A tour", "Ada", "2026-01-01T00:00:00Z"),
  made(3, "Tables, again", "Grace", "2026-02-01T00:00:00Z"),
];
const numbers = (some: ChangeRequest[]) => some.map((each) => each.number);

test("words are looked for in number, subject and name of the author", () => {
  expect(numbers(matching(list, "tables"))).toEqual([1, 3]);
  expect(numbers(matching(list, " #3  grace "))).toEqual([3]);
  expect(numbers(matching(list, "grace tour"))).toEqual([]);
  expect(numbers(matching(list, ""))).toEqual([1, 2, 3]);
});

test("an author's are those that the author made, words or not", () => {
  expect(numbers(matching(list, "", "grace"))).toEqual([1, 3]);
  expect(numbers(matching(list, "again", "grace"))).toEqual([3]);
  expect(numbers(matching(list, "", "nobody"))).toEqual([]);
});

test("authors stand by name, each with how many", () => {
  expect(authors(list).map(({ user, count }) => [user.displayName, count])).toEqual([
    ["Ada", 1],
    ["Grace", 2],
  ]);
});

test("the order is of change, of making or of subject", () => {
  expect(numbers(sorted(list, "updated"))).toEqual([1, 3, 2]);
  expect(numbers(sorted(list, "created"))).toEqual([3, 2, 1]);
  expect(numbers(sorted(list, "subject"))).toEqual([2, 1, 3]);
});
