// What a script of an integration draws, as the app knows it. A script is not trusted: parse.ts makes these of whatever
// it answers, and what shows them opens no address but those that safeURL lets through.

export type Data = Record<string, unknown>;
export type Action = Data & { action: string };
export type Value = string | { state: string };

export type Kind =
  | "words"
  | "block"
  | "modal"
  | "configuration"
  | "box"
  | "button"
  | "card"
  | "checkbox"
  | "codeblock"
  | "divider"
  | "hint"
  | "hstack"
  | "image"
  | "input"
  | "link"
  | "markdown"
  | "radio"
  | "select"
  | "step"
  | "stepper"
  | "switch"
  | "text"
  | "textinput"
  | "vstack"
  | "webframe"
  | "control";

export interface Option {
  id: string;
  label: string;
}

export interface Confirm {
  title: string;
  text: string;
  confirm: string;
  danger: boolean;
}

// Address is one that is written, or that is made of the state.
export type Address = { written: string } | { host: string; pathname: string; query: Record<string, Value> };

// Element is an element of any kind; which of its fields mean something says its kind.
export interface Element {
  kind: Kind;
  // words are the text of an element of that kind.
  words: string;
  title: string;
  label: string;
  placeholder: string;
  tooltip: string;
  style: string;
  size: string;
  align: string;
  // state names what a field changes.
  state: string;
  id: string;
  active: string;
  icon: string;
  trailingIcon: string;
  syntax: string;
  inputType: string;
  picture: Address | null;
  address: Address | null;
  children: Element[];
  hint: Element[];
  header: Element[];
  footer: Element[];
  // buttons are those of cards, code and frames, and the one that submits a modal.
  buttons: Element[];
  controls: Element[];
  options: Option[];
  // optionsAddress answers with options; openapi says that they are the organization's API descriptions.
  optionsAddress: Address | null;
  openapi: boolean;
  disabled: boolean;
  multiple: boolean;
  acceptInput: boolean;
  multiline: boolean;
  lineNumbers: boolean;
  grows: boolean;
  // next says that a step has a button that goes on.
  next: boolean;
  ratio: number;
  value: unknown;
  initial: unknown;
  content: Value;
  data: Record<string, Value>;
  press: Action | null;
  change: Action | null;
  complete: Action | null;
  confirm: Confirm | null;
  returnValue: Data | null;
}

// Drawn is what a script has answered. Without props those that it was given stay.
export type Drawn =
  | { kind: "element"; element: Element; state: Data; props: Data | null }
  | { kind: "complete"; returnValue: Data | null }
  | { kind: "absent" };

// own reads a name of the state, which may be one that every object has.
export const own = (state: Data, name: string): unknown => (Object.hasOwn(state, name) ? state[name] : undefined);

// textOf is a value as a text.
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

// bound is an action with what the state has in place of its bindings, {"$state": name}. It is no deeper than what was
// parsed of JSON, and a name that the state does not have is left out.
export function bound(action: Action, state: Data): Action {
  const put = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(put);
    if (typeof value !== "object" || value === null) return value;
    const name = (value as Data)["$state"];
    if (typeof name === "string" && Object.keys(value).length === 1) return own(state, name);
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, put(each)]));
  };
  return put(action) as Action;
}

// valueIn is a text, or what the state has under a name.
export const valueIn = (value: Value, state: Data): string =>
  typeof value === "string" ? value : textOf(own(state, value.state));

// safeURL returns an address that a browser may open from here, "" for any other.
export function safeURL(address: string): string {
  const trimmed = address.trim();
  if (trimmed.length > 4096 || /[\u0000-\u001f\u007f]/.test(trimmed) || !URL.canParse(trimmed)) return "";
  const { protocol, hostname, username, password } = new URL(trimmed);
  if (protocol === "http:" || protocol === "https:") return hostname && !username && !password ? trimmed : "";
  return protocol === "mailto:" || protocol === "tel:" ? trimmed : "";
}

// addressIn is an address in a state, "" for none that may be opened.
export function addressIn(address: Address | null, state: Data): string {
  if (!address) return "";
  if ("written" in address) return safeURL(address.written);
  const query = new URLSearchParams(
    Object.entries(address.query).map(([name, value]) => [name, valueIn(value, state)]),
  );
  // This server may be one without a certificate, as on the computer of an author.
  const scheme = typeof location === "object" && address.host === location.host ? location.protocol : "https:";
  return safeURL(
    `${scheme}//${address.host}/${address.pathname.replace(/^\//, "")}${query.size > 0 ? `?${query.toString()}` : ""}`,
  );
}

// pictureIn is the address of a picture in a state, "" for one that is not to be loaded.
export function pictureIn(address: Address | null, state: Data): string {
  if (address && "written" in address && /^data:image\/(png|jpeg|gif|webp|svg\+xml|avif)[;,]/i.test(address.written))
    return address.written;
  const found = addressIn(address, state);
  return /^https?:/i.test(found) ? found : "";
}

// inside lists all that an element holds, in the order of reading.
export const inside = (element: Element): Element[] => [
  ...element.controls,
  ...element.header,
  ...element.hint,
  ...element.children,
  ...element.footer,
  ...element.buttons,
];

// begun is a state with what the fields of an element begin with.
export function begun(element: Element, state: Data): Data {
  const found = new Map(Object.entries(state));
  const walk = (each: Element) => {
    if (each.state && each.initial !== undefined && each.initial !== null && !found.has(each.state))
      found.set(each.state, each.initial);
    inside(each).forEach(walk);
  };
  walk(element);
  return Object.fromEntries(found);
}
