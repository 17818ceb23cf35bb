// What an integration can be told, as it describes that itself, and what somebody has filled in.
export type Property = { type: "string" | "number" | "boolean" | "button"; title?: string; description?: string; default?: unknown; enum?: string[] | null };
export type Described = { properties?: Record<string, Property>; required?: string[] | null };
export type Field = Property & { name: string; label: string; required: boolean };

// fieldsOf lists what a person can fill in. A button does something only where integrations run.
export function fieldsOf(described: Described | undefined): Field[] {
  const required = new Set(described?.required ?? []);
  return Object.entries(described?.properties ?? {})
    .filter(([, { type }]) => type !== "button")
    .map(([name, property]) => ({ ...property, name, label: property.title || name, required: required.has(name) }));
}

// valueOf is what a field shows: what is configured, else what it is by itself.
export function valueOf(field: Field, configuration: Record<string, unknown>): string | boolean {
  const value = configuration[field.name] ?? field.default;
  if (field.type === "boolean") return value === true;
  return value === undefined || value === null ? "" : String(value);
}

// configurationOf reads a form: what is left empty is not said. Values that no field stands for stay.
export function configurationOf(fields: Field[], form: FormData, before: Record<string, unknown>): Record<string, unknown> {
  const names = new Set(fields.map(({ name }) => name));
  const kept = Object.fromEntries(Object.entries(before).filter(([name]) => !names.has(name)));
  const read = fields.flatMap((field): [string, unknown][] => {
    if (field.type === "boolean") return [[field.name, form.has(field.name)]];
    const text = String(form.get(field.name) ?? "").trim();
    if (text === "") return [];
    return [[field.name, field.type === "number" ? Number(text) : text]];
  });
  return { ...kept, ...Object.fromEntries(read) };
}
