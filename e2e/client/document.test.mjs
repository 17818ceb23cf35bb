// The OpenAPI document is one for two validators that share no code: one compiles the published schema of OpenAPI 3.1,
// the other interprets it together with the dialect that the schemas within the document follow.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { validate } from "@hyperjump/json-schema/openapi-3-1";
import { recto } from "../recto.mjs";

const text = await recto(["openapi"]);

/** What each of them finds; nothing in a good document. */
const validators = {
  "@seriousme/openapi-schema-validator": async (document) => {
    const validator = new Validator();
    const result = await validator.validate(document);
    if (result.valid && validator.version !== "3.1") return `version ${validator.version}`;
    return result.valid ? "" : JSON.stringify(result.errors).slice(0, 2000);
  },
  "@hyperjump/json-schema": async (document) => {
    const result = await validate("https://spec.openapis.org/oas/3.1/schema-base", document, "BASIC");
    return result.valid ? "" : JSON.stringify(result.errors).slice(0, 2000);
  },
};

for (const [name, find] of Object.entries(validators)) {
  test(`${name} takes the document`, async () => {
    assert.equal(await find(JSON.parse(text)), "");
  });

  test(`${name} finds a document that is none`, async () => {
    const spoilt = {
      "a component with a key that no reference can name": (d) =>
        (d.components.schemas["BodyStruct {}Body"] = { type: "object" }),
      "an answer without a description": (d) => delete d.paths["/v1/user"].get.responses["200"].description,
      "a parameter from nowhere": (d) => (d.paths["/v1/user"].get.parameters = [{ name: "x", in: "body", schema: {} }]),
    };
    for (const [what, spoil] of Object.entries(spoilt)) {
      const document = JSON.parse(text);
      spoil(document);
      assert.notEqual(await find(document), "", what);
    }
  });
}

test("a type that is none is found", async () => {
  const document = JSON.parse(text);
  document.components.schemas.User.properties.id = { type: ["", "null"] };
  assert.notEqual(await validators["@hyperjump/json-schema"](document), "");
});
