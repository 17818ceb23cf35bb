import { expect, test } from "vitest";
import { configurationOf, fieldsOf, valueOf } from "./configuration";

const fields = fieldsOf({
  properties: { key: { type: "string", title: "API key" }, zone: { type: "string", enum: ["eu", "us"], default: "eu" }, most: { type: "number" }, loud: { type: "boolean" }, connect: { type: "button" } },
  required: ["key"],
});

test("lists what can be filled in", () => {
  expect(fields.map(({ name, label, required }) => [name, label, required])).toEqual([
    ["key", "API key", true],
    ["zone", "zone", false],
    ["most", "most", false],
    ["loud", "loud", false],
  ]);
  expect(fields.map((field) => valueOf(field, { most: 3, loud: true }))).toEqual(["", "eu", "3", true]);
  expect(fieldsOf(undefined)).toEqual([]);
});

test("reads a form as the values that are meant", () => {
  const form = new FormData();
  form.set("key", " abc ");
  form.set("zone", "");
  form.set("most", "4");
  expect(configurationOf(fields, form, { zone: "us", connected: "yes" })).toEqual({ connected: "yes", key: "abc", most: 4, loud: false });
});
