import { expect, it } from "vitest";
import { rowsOf } from "./addresses";

const read = (text: string) => rowsOf(text).map(({ email, fault }) => (fault ? `${email}: ${fault}` : email));

it("reads addresses as they are pasted", () => {
  expect(read("a@x.org\nb@x.org, c@x.org; d@x.org")).toEqual(["a@x.org", "b@x.org", "c@x.org", "d@x.org"]);
  expect(read("Ada Byron <ada@x.org>, <b@x.org>")).toEqual(["ada@x.org", "b@x.org"]);
  expect(read("a@x.org b@x.org")).toEqual(["a@x.org", "b@x.org"]);
  expect(read(" \n,;\n")).toEqual([]);
});

it("says what is wrong with each by itself", () => {
  expect(read("Ada Byron\na@x\na@x.org\nA@X.org\n@x.org")).toEqual([
    "Ada Byron: address",
    "a@x: address",
    "a@x.org",
    "A@X.org: twice",
    "@x.org: address",
  ]);
});
