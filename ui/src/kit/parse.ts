// Reads what a script of an integration has answered, within bounds. What is of another type than the contract says
// counts as absent, and an element of a kind that is not known shows nothing, with all that it holds.
import type { Action, Address, Confirm, Data, Drawn, Element, Kind, Option, Value } from "./elements";
import { safeURL } from "./elements";

// The same bounds as on published pages.
const mostDeep = 32;
const mostElements = 4000;
const mostOptions = 1000;

// AnswerFault is an answer that is no block.
export class AnswerFault extends Error {}

const kinds = new Set<string>([
  "block",
  "modal",
  "configuration",
  "box",
  "button",
  "card",
  "checkbox",
  "codeblock",
  "divider",
  "hint",
  "hstack",
  "image",
  "input",
  "link",
  "markdown",
  "radio",
  "select",
  "step",
  "stepper",
  "switch",
  "text",
  "textinput",
  "vstack",
  "webframe",
]);

const isObject = (value: unknown): value is Data =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const objectOf = (value: unknown): Data => (isObject(value) ? value : {});
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export function actionOf(value: unknown): Action | null {
  if (!isObject(value) || !text(value["action"])) return null;
  if (value["action"] === "@ui.url.open" && safeURL(text(value["url"])) === "") return null;
  return value as Action;
}

function confirmOf(value: unknown): Confirm | null {
  if (!isObject(value)) return null;
  return {
    title: text(value["title"]),
    text: text(value["text"]),
    confirm: text(value["confirm"]),
    danger: value["style"] === "danger",
  };
}

const valueOf = (value: unknown): Value => (isObject(value) ? { state: text(value["$state"]) } : text(value));
const valuesOf = (value: unknown): Record<string, Value> =>
  Object.fromEntries(Object.entries(objectOf(value)).map(([name, each]) => [name, valueOf(each)]));

function addressOf(value: unknown): Address | null {
  if (typeof value === "string") return { written: value };
  const host = isObject(value) ? text(value["host"]) : "";
  if (!isObject(value) || !host || /[/\\@?#\s]/.test(host)) return null;
  return { host, pathname: text(value["pathname"]), query: valuesOf(value["query"]) };
}

const pictureOf = (value: unknown) => (isObject(value) ? addressOf(objectOf(value["source"])["url"]) : null);

function optionsOf(value: unknown): Option[] {
  return list(value)
    .filter(isObject)
    .slice(0, mostOptions)
    .map((each) => {
      const id = String(each["id"] ?? each["value"] ?? ""); // some call it value
      return { id, label: text(each["label"]) || id };
    });
}

// readOptions reads a list of options that an address has answered with.
export const readOptions = (answer: unknown): Option[] =>
  optionsOf(isObject(answer) ? (answer["options"] ?? answer["items"]) : answer);

class Parser {
  private count = 0;

  // root reads the outermost element. Steps without a configuration around them are one.
  root(value: unknown): Element[] {
    const found = this.elements(value, 0);
    return found.length === 1 && found[0]!.kind === "stepper"
      ? [{ ...this.empty("configuration"), children: found }]
      : found;
  }

  private counted(depth: number): void {
    if (depth > mostDeep) throw new AnswerFault("deep");
    if (++this.count > mostElements) throw new AnswerFault("many");
  }

  // elements reads what stands where children do: an element, a text, or a list of such.
  elements(value: unknown, depth: number): Element[] {
    if (depth > mostDeep) throw new AnswerFault("deep");
    if (Array.isArray(value)) return value.flatMap((each: unknown) => this.elements(each, depth + 1));
    if (typeof value === "string" || typeof value === "number") {
      this.counted(depth);
      return [{ ...this.empty("words"), words: String(value) }];
    }
    if (!isObject(value)) return [];
    this.counted(depth);
    const kind = text(value["type"]);
    return kinds.has(kind) ? [this.element(value, kind as Kind, depth)] : [];
  }

  private only = (value: unknown, depth: number): Element[] =>
    this.elements(value, depth + 1).filter(({ kind }) => kind === "button");

  private inline = (value: unknown, depth: number): Element[] =>
    this.elements(value, depth + 1).filter(({ kind }) => ["words", "text", "link", "image"].includes(kind));

  private empty = (kind: Kind): Element => ({
    kind,
    words: "",
    title: "",
    label: "",
    placeholder: "",
    tooltip: "",
    style: "",
    size: "",
    align: "",
    state: "",
    id: "",
    active: "",
    icon: "",
    trailingIcon: "",
    syntax: "",
    inputType: "",
    picture: null,
    address: null,
    children: [],
    hint: [],
    header: [],
    footer: [],
    buttons: [],
    controls: [],
    options: [],
    optionsAddress: null,
    openapi: false,
    disabled: false,
    multiple: false,
    acceptInput: false,
    multiline: false,
    lineNumbers: false,
    grows: false,
    next: true,
    ratio: 0,
    value: undefined,
    initial: undefined,
    content: "",
    data: {},
    press: null,
    change: null,
    complete: null,
    confirm: null,
    returnValue: null,
  });

  private element(o: Data, kind: Kind, depth: number): Element {
    const made: Element = { ...this.empty(kind), ...this.texts(o), ...this.flags(o) };
    made.children =
      kind === "text" || kind === "hint"
        ? this.inline(o["children"], depth)
        : this.elements(kind === "input" ? o["element"] : o["children"], depth + 1);
    made.header = this.elements(o["header"], depth + 1);
    made.footer = this.elements(o["footer"], depth + 1);
    made.buttons = this.only(kind === "modal" ? o["submit"] : o["buttons"], depth);
    if (kind === "input" || kind === "card") made.hint = this.inline(o["hint"], depth);
    if (kind === "modal") made.hint = this.inline(o["subtitle"], depth);
    if (kind === "block") made.controls = this.controls(o["controls"], depth);
    if (kind === "link") made.address = addressOf(objectOf(o["target"])["url"]);
    if (kind === "image" || kind === "webframe") made.address = addressOf(objectOf(o["source"])["url"]);
    if (kind === "select") this.optionsInto(made, o["options"]);
    return made;
  }

  private texts(o: Data): Partial<Element> {
    const names = [
      "title",
      "label",
      "placeholder",
      "tooltip",
      "style",
      "size",
      "align",
      "state",
      "id",
      "syntax",
      "inputType",
    ] as const;
    return {
      ...Object.fromEntries(names.map((name) => [name, text(o[name])])),
      active: text(o["activeStep"]),
      icon: text(o["icon"]),
      trailingIcon: text(o["trailingIcon"]),
      picture: pictureOf(o["icon"]),
      content: valueOf(o["content"]),
      data: valuesOf(o["data"]),
      initial: o["initialValue"],
      value: o["value"],
      press: actionOf(o["onPress"]),
      complete: actionOf(o["onComplete"]),
      change: actionOf(o["onValueChange"]) ?? actionOf(o["onContentChange"]) ?? actionOf(o["onStepChange"]),
      confirm: confirmOf(o["confirm"]),
      returnValue: isObject(o["returnValue"]) ? o["returnValue"] : null,
    };
  }

  private flags(o: Data): Partial<Element> {
    const ratio = o["aspectRatio"];
    return {
      disabled: o["disabled"] === true,
      multiple: o["multiple"] === true,
      acceptInput: o["acceptInput"] === true,
      multiline: o["multiline"] === true,
      next: o["next"] !== false,
      lineNumbers: o["lineNumbers"] === true || typeof o["lineNumbers"] === "number",
      grows: Number(o["grow"]) > 0,
      ratio: typeof ratio === "number" && ratio > 0.01 && ratio < 100 ? ratio : 0,
    };
  }

  // controls reads the menu of a block, whose groups are shown as one list.
  private controls(value: unknown, depth: number): Element[] {
    return list(value).flatMap((each) => {
      if (Array.isArray(each)) return depth > mostDeep ? [] : this.controls(each, depth + 1);
      if (!isObject(each)) return [];
      this.counted(depth);
      return [
        {
          ...this.empty("control"),
          label: text(each["label"]),
          icon: text(each["icon"]),
          press: actionOf(each["onPress"]),
          confirm: confirmOf(each["confirm"]),
        },
      ];
    });
  }

  private optionsInto(made: Element, value: unknown): void {
    made.options = optionsOf(value);
    if (!isObject(value)) return;
    made.openapi = value["source"] === "openapi";
    made.optionsAddress = addressOf(value["url"]);
  }
}

// parse reads an answer to ui_render. It throws an AnswerFault for what is none.
export function parse(answer: unknown): Drawn {
  if (!isObject(answer)) throw new AnswerFault("none");
  if (answer["type"] === "complete")
    return { kind: "complete", returnValue: isObject(answer["returnValue"]) ? answer["returnValue"] : null };
  // A component that draws nothing has nothing to show.
  if (answer["type"] === "element" && (answer["element"] === undefined || answer["element"] === null))
    return { kind: "absent" };
  const found = new Parser().root(answer["element"]);
  const root = found[0];
  if (found.length !== 1 || !root || !["block", "modal", "configuration"].includes(root.kind))
    throw new AnswerFault("none");
  return {
    kind: "element",
    element: root,
    state: objectOf(answer["state"]),
    props: isObject(answer["props"]) ? answer["props"] : null,
  };
}
