// What the editor asks of those around it, since it knows nothing of spaces: addresses of files and titles of pages.
export interface Services {
  // fileAddress returns where a picture can be loaded from, null for one that cannot be shown here.
  fileAddress(ref: { kind?: string; url?: string; file?: string }): Promise<string | null>;
  // pageTitle returns the title of a page of the space, null for one that is not known.
  pageTitle(page: string): string | null;
}

// nobody answers nothing: for documents that stand alone.
export const nobody: Services = { fileAddress: () => Promise.resolve(null), pageTitle: () => null };
