import { expect, it } from "vitest";
import { readable, written } from "./draft";

it("writes mentions for those who are named, the longest name first", () => {
  const people = { Ada: "user_a", "Ada Lovelace": "user_b", "G[r]ace": "user_c" };
  expect(written({ text: "@Ada Lovelace and @Ada, @G[r]ace and @Nobody\n", people })).toBe(
    '[Ada Lovelace](/users/user_b "mention") and [Ada](/users/user_a "mention"), [G\\[r\\]ace](/users/user_c "mention") and @Nobody',
  );
});

it("reads what it has written", () => {
  const draft = {
    text: "Hi @Ada Lovelace, @G[r]ace: **look** [here](https://example.com)",
    people: { "Ada Lovelace": "user_b", "G[r]ace": "user_c" },
  };
  expect(readable(written(draft))).toEqual(draft);
});
