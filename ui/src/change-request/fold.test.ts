import { expect, it } from "vitest";
import { folded } from "./fold";

const blocks = (text: string) =>
  [...text].map((each) => ({ change: each === "." ? ("same" as const) : ("changed" as const) }));

it("folds what is far from a change", () => {
  expect(folded(blocks(".....x...."))).toEqual([
    { from: 0, to: 4, fold: 4 },
    { from: 4, to: 7 },
    { from: 7, to: 10, fold: 3 },
  ]);
});

it("leaves a few blocks open", () => {
  expect(folded(blocks("..x.."))).toEqual([{ from: 0, to: 1 }, { from: 1, to: 4 }, { from: 4, to: 5 }]);
  expect(folded([])).toEqual([]);
});
