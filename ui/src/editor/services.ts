// What the editor asks of those around it, since it knows nothing of spaces: pages, people, files and what else a text
// can name.
import type { Draw } from "../kit/session";
import type { JsonDocument } from "./document";

// Ref is what something in a document leads to, as its JSON has it.
export interface Ref {
  kind?: string;
  url?: string;
  file?: string;
  page?: string;
  anchor?: string;
  user?: string;
  collection?: string;
  space?: string;
  reusableContent?: string;
  tag?: string;
  spec?: string;
}

export interface PageEntry {
  id: string;
  title: string;
  // trail are the titles of the pages above it, the outermost first.
  trail: string[];
  // path is its address in the space.
  path: string;
  type: string;
  icon?: string;
  // emoji is the character.
  emoji?: string;
  description?: string;
}

export interface Heading {
  // id is what stands after "#".
  id: string;
  title: string;
  level: number;
}

export interface Person {
  id: string;
  name: string;
  email?: string;
  photo?: string;
}

export interface FileEntry {
  id: string;
  name: string;
  size: number;
  // type is its media type.
  type: string;
  // address is where it can be loaded from.
  address: string;
  width?: number;
  height?: number;
}

// Upload is a file on its way. done fails with an UploadError; after cancel it fails with one of the kind "cancelled".
export interface Upload {
  done: Promise<FileEntry>;
  cancel(): void;
}

export type UploadFault = "cancelled" | "network" | "large" | "type" | "refused";

export class UploadError extends Error {
  // message is what the server said, "" when it said nothing.
  constructor(
    readonly kind: UploadFault,
    message = "",
  ) {
    super(message);
    this.name = "UploadError";
  }
}

export interface Reusable {
  id: string;
  title: string;
}

export interface Spec {
  slug: string;
  // ready says that it has been read, so that its operations are known.
  ready: boolean;
}

// Value is what an expression comes to, as readers see it.
export interface Value {
  value: string;
  // visitor says that it depends on who reads.
  visitor: boolean;
  // fault says what is wrong with the expression, "" when nothing is.
  fault: string;
}

// ReusableText is what a reusable content holds.
export interface ReusableText extends Reusable {
  document: JsonDocument;
}

// Part is an operation of an API by its path, or a webhook by its name.
export interface Part {
  path: string;
  // method is in lower case.
  method: string;
  summary: string;
}

// Described is what an OpenAPI specification has.
export interface Described {
  title: string;
  operations: Part[];
  webhooks: Part[];
  schemas: string[];
}

// Installed is a block that an integration brings to the space.
export interface Installed {
  integration: string;
  block: string;
  title: string;
  description: string;
  // icon is where its picture can be loaded from, "" for none.
  icon: string;
  // addresses are patterns of those that become this block.
  addresses: string[];
  // language is that of code that stands for this block, "" for none; property has the code then.
  language: string;
  property: string;
}

export interface Services {
  // here is the page that is written, "" for a document that stands alone.
  here: string;
  // fileAddress returns where a picture can be loaded from, null for one that cannot be shown here.
  fileAddress(ref: Ref): Promise<string | null>;
  // file returns a file of the space, null for one that is not there.
  file(id: string): Promise<FileEntry | null>;
  // files lists the files of the space that have all words in their names, the best first.
  files(words: string): Promise<FileEntry[]>;
  // upload sends a file into the change request. onProgress is told the part that is sent, from 0 to 1.
  upload(file: File, onProgress: (part: number) => void): Upload;
  // pageTitle returns the title of a page of the space, null for one that is not known.
  pageTitle(page: string): string | null;
  // page returns a page of the space, null for one that is not there.
  page(id: string): PageEntry | null;
  // pages lists the pages of the space that have all words in their titles, paths or trails, the best first.
  pages(words: string): Promise<PageEntry[]>;
  // headings lists those of a page that can be led to.
  headings(page: string): Promise<Heading[]>;
  // createPage makes a page beside the one that is written.
  createPage(title: string): Promise<PageEntry>;
  // pageAddress returns where the app shows a page.
  pageAddress(page: string): string;
  // refOf returns the page that an address of this app or of its site leads to, null for any other address.
  refOf(address: string): Ref | null;
  // people lists members of the organization that have the words in name or address.
  people(words: string): Promise<Person[]>;
  // person returns one of them, null for somebody who is not there.
  person(id: string): Promise<Person | null>;
  // reusables lists the reusable contents of the space.
  reusables(): Promise<Reusable[]>;
  // variables returns those of the space: texts, numbers and booleans by name.
  variables(): Promise<Record<string, unknown>>;
  // reusable returns a reusable content of the space, null for one that is not there.
  reusable(id: string): Promise<ReusableText | null>;
  // createReusable makes a reusable content.
  createReusable(title: string, document: JsonDocument): Promise<Reusable>;
  // saveReusable changes what a reusable content holds, wherever it stands.
  saveReusable(id: string, document: JsonDocument): Promise<void>;
  // described returns what a specification has, null for one that cannot be read.
  described(spec: string): Promise<Described | null>;
  // pageVariables returns those of the page that is written.
  pageVariables(): Promise<Record<string, unknown>>;
  // evaluate computes an expression as it is on the page, null where nobody can.
  evaluate(expression: string): Promise<Value | null>;
  // markdown reads a text in the dialect as the file of a page, null where nobody can.
  markdown(text: string): Promise<JsonDocument | null>;
  // specs lists the OpenAPI specifications of the organization.
  specs(): Promise<Spec[]>;
  // blocks lists those that integrations bring to the space.
  blocks(): Promise<Installed[]>;
  // drawing is how the script of an integration draws its blocks here.
  drawing(integration: string, editable: () => boolean): Draw;
}

const none = () => Promise.resolve(null);
const empty = () => Promise.resolve([]);

// nobody answers nothing: for documents that stand alone.
export const nobody: Services = {
  here: "",
  fileAddress: none,
  file: none,
  files: empty,
  upload: () => ({ done: Promise.reject(new UploadError("refused")), cancel: () => undefined }),
  pageTitle: () => null,
  page: () => null,
  pages: empty,
  headings: empty,
  createPage: () => Promise.reject(new Error()),
  pageAddress: () => "",
  refOf: () => null,
  people: empty,
  person: none,
  reusables: empty,
  variables: () => Promise.resolve({}),
  reusable: none,
  createReusable: () => Promise.reject(new Error()),
  saveReusable: () => Promise.reject(new Error()),
  described: none,
  pageVariables: () => Promise.resolve({}),
  evaluate: none,
  markdown: none,
  specs: empty,
  blocks: empty,
  drawing: () => () => Promise.resolve({ kind: "absent" }),
};
