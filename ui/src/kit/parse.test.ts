import { expect, test } from "vitest";
import { addressIn, begun, bound, pictureIn, safeURL, type Data, type Element } from "./elements";
import { AnswerFault, parse, readOptions } from "./parse";

const element = (root: unknown): Element => {
  const drawn = parse({ element: root });
  if (drawn.kind !== "element") throw new Error(drawn.kind);
  return drawn.element;
};
const block = (...children: unknown[]) => ({ type: "block", children });

test("reads what the contract has", () => {
  const read = element({
    ...block({
      type: "card",
      title: "A",
      hint: "says",
      icon: "star",
      children: [{ type: "text", children: ["one ", { type: "text", style: "bold", children: "two" }] }],
      buttons: [{ type: "button", label: "Go", onPress: { action: "go", more: 1 } }],
    }),
    controls: [{ label: "One", onPress: { action: "one" } }, [{ label: "Two", onPress: { action: "two" } }]],
  });
  expect(read.controls.map(({ label }) => label)).toEqual(["One", "Two"]);
  const card = read.children[0]!;
  expect([card.title, card.icon, card.hint[0]!.words, card.children[0]!.children[1]!.style]).toEqual([
    "A",
    "star",
    "says",
    "bold",
  ]);
  expect(card.buttons[0]!.press).toEqual({ action: "go", more: 1 });
  expect(parse({ type: "complete", returnValue: { a: 1 } })).toEqual({ kind: "complete", returnValue: { a: 1 } });
  expect(readOptions({ items: [{ id: 1 }, null, { id: "b", label: "B" }, { value: "c", label: "C" }] })).toEqual([
    { id: "1", label: "1" },
    { id: "b", label: "B" },
    { id: "c", label: "C" },
  ]);
});

test("leaves out what it does not know", () => {
  expect(
    element(
      block({ type: "script", children: ["alert(1)"] }, null, true, {
        type: "text",
        children: [{ type: "webframe" }, "x"],
      }),
    ).children,
  ).toHaveLength(1);
  expect(element(block({ type: "button", label: { a: 1 }, onPress: "go" })).children[0]).toMatchObject({
    label: "",
    press: null,
  });
});

test("bounds what is large, and refuses what is no block", () => {
  let deep: unknown = "x";
  for (let i = 0; i < 200; i++) deep = { type: "box", children: [deep] };
  for (const wrong of [
    block(deep),
    block(...Array.from({ length: 9000 }, () => "x")),
    { type: "text", children: [] },
    [block(), block()],
    null,
    "x",
  ])
    expect(() => element(wrong)).toThrow(AnswerFault);
  for (const wrong of [null, 1, [], "x"]) expect(() => parse(wrong)).toThrow(AnswerFault);
});

test("opens only what runs nothing", () => {
  for (const evil of [
    "javascript:alert(1)",
    " JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc/passwd",
    "https://a:b@c.example",
    "//x",
    "/x",
    "x",
    "blob:https://x/1",
  ])
    expect(safeURL(evil)).toBe("");
  expect(safeURL(" https://a.example/x?y#z ")).toBe("https://a.example/x?y#z");
  const link = (url: unknown) =>
    addressIn(element(block({ type: "link", target: { url }, children: "x" })).children[0]!.address, { q: "a b" });
  expect(link({ host: "a.example", pathname: "/p", query: { q: { $state: "q" }, f: "1" } })).toBe(
    "https://a.example/p?q=a+b&f=1",
  );
  expect(link({ host: location.host, pathname: "/list" })).toBe(`${location.origin}/list`);
  expect(location.protocol).toBe("http:");
  expect(link({ host: "a.example/@evil", pathname: "" })).toBe("");
  expect(
    element(block({ type: "button", onPress: { action: "@ui.url.open", url: "javascript:1" } })).children[0]!.press,
  ).toBeNull();
  expect(pictureIn({ written: "data:text/html,x" }, {})).toBe("");
  expect(pictureIn({ written: "data:image/png;base64,x" }, {})).toBe("data:image/png;base64,x");
});

test("begins with what fields say, and no name reaches the objects of others", () => {
  const read = element(
    block(
      { type: "textinput", state: "__proto__", initialValue: { polluted: 1 } },
      { type: "textinput", state: "a", initialValue: "A" },
      { type: "switch", state: "b", initialValue: true },
    ),
  );
  const state = begun(read, { b: false });
  expect([state["a"], state["b"]]).toEqual(["A", false]);
  expect(({} as Data)["polluted"]).toBeUndefined();
});

test("an action takes what it is bound to from the state", () => {
  const action = {
    action: "go",
    name: { $state: "name" },
    more: [{ deep: { $state: "list" } }],
    not: { $state: "name", other: 1 },
    none: { $state: "none" },
    theirs: { $state: "toString" },
  };
  expect(JSON.parse(JSON.stringify(bound(action, { name: "Ada", list: [1, 2] })))).toEqual({
    action: "go",
    name: "Ada",
    more: [{ deep: [1, 2] }],
    not: { $state: "name", other: 1 },
  });
});

test("steps are a configuration, and an element that is none is nothing", () => {
  const steps = { type: "stepper", activeStep: "a", children: [{ type: "step", id: "a", children: ["x"] }] };
  expect(element(steps)).toMatchObject({ kind: "configuration", children: [{ kind: "stepper", active: "a" }] });
  expect(parse({ type: "element", state: {}, props: {} })).toEqual({ kind: "absent" });
  expect(parse({ type: "element", element: null })).toEqual({ kind: "absent" });
  expect(() => parse({ state: {} })).toThrow(AnswerFault);
});
