// What an integration can be told, as it describes that itself, and what somebody has filled in.
export type Property = {
  type: "string" | "number" | "boolean" | "button";
  title?: string;
  description?: string;
  default?: unknown;
  enum?: string[] | null;
  completion_url?: string;
  callback_url?: string;
  button_text?: string;
};
// Described is either properties, or a component that the integration draws.
export type Described = { properties?: Record<string, Property>; required?: string[] | null; componentId?: string };
export type Field = Property & { name: string; label: string; required: boolean };

// fieldsOf lists what a person can set, in the order of the integration. What a button sets is for its integration to
// say.
export function fieldsOf(described: Described | undefined): Field[] {
  const required = new Set(described?.required ?? []);
  return Object.entries(described?.properties ?? {}).map(([name, property]) => ({
    ...property,
    name,
    label: property.title || name,
    required: required.has(name),
  }));
}

// isSet reports whether something is configured; a default counts.
export const isSet = (field: Field, configuration: Record<string, unknown>): boolean =>
  ![undefined, null, ""].includes((configuration[field.name] ?? field.default) as string | undefined);

// missing lists what an installation waits for.
export const missing = (described: Described | undefined, configuration: Record<string, unknown>): Field[] =>
  fieldsOf(described).filter((field) => field.required && !isSet(field, configuration));

// hasSettings reports whether there is anything to set.
export const hasSettings = (described: Described | undefined): boolean =>
  Boolean(described?.componentId) || fieldsOf(described).length > 0;

// under is an address of an integration: one that is whole, or a path below its endpoint.
export const under = (endpoint: string, address: string): string =>
  address.startsWith("/") ? endpoint + address : address;

// valueOf is what a field shows: what is configured, else what it is by itself.
export function valueOf(field: Field, configuration: Record<string, unknown>): string | boolean {
  const value = configuration[field.name] ?? field.default;
  if (field.type === "boolean") return value === true;
  return value === undefined || value === null ? "" : String(value);
}

// configurationOf reads a form: what is left empty is not said. Values that no field stands for stay.
export function configurationOf(
  fields: Field[],
  form: FormData,
  before: Record<string, unknown>,
): Record<string, unknown> {
  const filled = fields.filter(({ type }) => type !== "button");
  const names = new Set(filled.map(({ name }) => name));
  const kept = Object.fromEntries(Object.entries(before).filter(([name]) => !names.has(name)));
  const read = filled.flatMap((field): [string, unknown][] => {
    if (field.type === "boolean") return [[field.name, form.has(field.name)]];
    const text = String(form.get(field.name) ?? "").trim();
    if (text === "") return [];
    return [[field.name, field.type === "number" ? Number(text) : text]];
  });
  return { ...kept, ...Object.fromEntries(read) };
}
