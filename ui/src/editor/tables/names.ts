// What a reference in a cell is called.
import type { Ref, Services } from "../services";
import { refText } from "./values";

// entryName returns what a file or a person is called, null for one that is not known.
export async function entryName(services: Services, type: string, entry: string): Promise<string | null> {
  if (/[/.#]/.test(entry)) return null;
  const known = type === "files" ? await services.file(entry) : await services.person(entry);
  return known?.name ?? null;
}

export const refName = (services: Services, ref: Ref): string =>
  ref.page ? (services.pageTitle(ref.page) ?? ref.page) : refText(ref);
