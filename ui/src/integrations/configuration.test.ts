import { expect, test } from "vitest";
import { configurationOf, fieldsOf, missing, under, valueOf } from "./configuration";

const fields = fieldsOf({
  properties: {
    key: { type: "string", title: "API key" },
    zone: { type: "string", enum: ["eu", "us"], default: "eu" },
    most: { type: "number" },
    loud: { type: "boolean" },
    connect: { type: "button" },
  },
  required: ["key"],
});

test("lists what can be filled in", () => {
  expect(fields.map(({ name, label, required }) => [name, label, required])).toEqual([
    ["key", "API key", true],
    ["zone", "zone", false],
    ["most", "most", false],
    ["loud", "loud", false],
    ["connect", "connect", false],
  ]);
  expect(fields.slice(0, 4).map((field) => valueOf(field, { most: 3, loud: true }))).toEqual(["", "eu", "3", true]);
  expect(fieldsOf(undefined)).toEqual([]);
});

test("reads a form as the values that are meant", () => {
  const form = new FormData();
  form.set("key", " abc ");
  form.set("zone", "");
  form.set("most", "4");
  expect(configurationOf(fields, form, { zone: "us", connected: "yes", connect: { token: 1 } })).toEqual({
    connected: "yes",
    connect: { token: 1 },
    key: "abc",
    most: 4,
    loud: false,
  });
});

test("says what is missing", () => {
  const described = {
    properties: { key: { type: "string" }, zone: { type: "string", default: "eu" }, connect: { type: "button" } },
    required: ["key", "zone", "connect"],
  } as const;
  const names = (configuration: Record<string, unknown>) =>
    missing(described as never, configuration).map(({ name }) => name);
  expect(names({})).toEqual(["key", "connect"]);
  expect(names({ key: "", connect: 0 })).toEqual(["key"]);
  expect([under("https://a.example/x", "/y"), under("https://a.example/x", "https://b.example")]).toEqual([
    "https://a.example/x/y",
    "https://b.example",
  ]);
});
