// What can be chosen to lead to: pages, their headings after "#", files, people, and addresses.
import { FileText, Folder, Globe, Hash, Image, Paperclip, Plus } from "lucide-react";
import { Avatar } from "../../look/Avatar";
import { Glyph } from "../../look/Glyph";
import { t } from "../../words/words";
import type { FileEntry, PageEntry, Person, Ref, Services } from "../services";
import { addressOf } from "../address";
import type { Choice } from "./choice";

// Target is where something leads, with what it is called; make creates it first.
export interface Target {
  ref: Ref;
  title: string;
  make?: () => Promise<Target>;
}

const separator = " / ";

export const pageIcon = (page: PageEntry) =>
  page.emoji ? (
    <span aria-hidden>{page.emoji}</span>
  ) : page.type === "group" ? (
    <Folder aria-hidden />
  ) : (
    <FileText aria-hidden />
  );

// pageChoices lists pages with those above them.
export async function pageChoices(
  services: Services,
  words: string,
  takes: (page: PageEntry) => boolean = (page) => page.type === "document",
): Promise<Choice<PageEntry>[]> {
  const found = (await services.pages(words)).filter(takes);
  return found.map((page) => ({
    id: page.id,
    title: page.title,
    note: page.trail.join(separator),
    icon: pageIcon(page),
    group: t("picker.pages"),
    value: page,
  }));
}

// fileChoices lists files of the space, those that pass.
export async function fileChoices(
  services: Services,
  words: string,
  takes: (file: FileEntry) => boolean = () => true,
): Promise<Choice<FileEntry>[]> {
  const found = (await services.files(words)).filter(takes);
  return found.map((file) => ({
    id: file.id,
    title: file.name,
    icon: file.type.startsWith("image/") ? <Image aria-hidden /> : <Paperclip aria-hidden />,
    group: t("picker.files"),
    value: file,
  }));
}

// personChoices lists people of the organization.
export async function personChoices(services: Services, words: string): Promise<Choice<Person>[]> {
  const found = await services.people(words);
  return found.map((person) => ({
    id: person.id,
    title: person.name,
    ...(person.email ? { note: person.email } : {}),
    icon: <Avatar name={person.name} picture={person.photo} size="small" />,
    group: t("picker.people"),
    value: person,
  }));
}

// headingChoices lists the headings of a page that have the words.
export async function headingChoices(services: Services, page: PageEntry, words: string): Promise<Choice<Target>[]> {
  const sought = words.toLowerCase();
  const found = (await services.headings(page.id)).filter(
    ({ title, id }) => title.toLowerCase().includes(sought) || id.includes(sought),
  );
  return found.map((heading) => ({
    id: heading.id,
    title: heading.title,
    note: page.title,
    icon: <Hash aria-hidden />,
    group: t("picker.headings"),
    value: { ref: { kind: "anchor", page: page.id, anchor: heading.id }, title: heading.title },
  }));
}

interface Offers {
  files?: boolean;
  people?: boolean;
  addresses?: boolean;
  // create offers to make a page of a name that none has.
  create?: boolean;
}

const few = 6;

const addressChoice = (address: string): Choice<Target> => ({
  id: "address",
  title: address,
  note: t("picker.address"),
  icon: <Globe aria-hidden />,
  group: "",
  value: { ref: { kind: "url", url: address }, title: address },
});

// targetChoices lists what words can lead to. "page#part" looks for headings of the page, "#part" of the one written.
export async function targetChoices(
  services: Services,
  words: string,
  { files = false, people = false, addresses = false, create = false }: Offers,
): Promise<Choice<Target>[]> {
  const address = addresses ? addressOf(words) : null;
  if (address) {
    const ref = services.refOf(address);
    const page = ref?.page ? services.page(ref.page) : null;
    if (ref && page)
      return [
        {
          id: "page",
          title: page.title,
          note: page.trail.join(separator),
          icon: pageIcon(page),
          value: { ref, title: page.title },
        },
      ];
    // A page may be called like a host.
    if (address === words.trim()) return [addressChoice(address)];
  }
  const cut = words.indexOf("#");
  if (cut >= 0) {
    const named = words.slice(0, cut).trim();
    const page =
      named === ""
        ? services.page(services.here)
        : ((await services.pages(named)).find((each) => each.type === "document") ?? null);
    return page ? headingChoices(services, page, words.slice(cut + 1).trim()) : [];
  }
  const [pages, found, members] = await Promise.all([
    pageChoices(services, words),
    files && words ? fileChoices(services, words) : [],
    // Who may not see the people of the organization still finds pages.
    people ? personChoices(services, words).catch(() => []) : [],
  ]);
  const all: Choice<Target>[] = [
    ...pages
      .slice(0, people || found.length > 0 ? few : undefined)
      .map((each) => ({ ...each, value: { ref: { kind: "page", page: each.value.id }, title: each.title } })),
    ...members
      .slice(0, few)
      .map((each) => ({ ...each, value: { ref: { kind: "user", user: each.value.id }, title: each.title } })),
    ...found
      .slice(0, few)
      .map((each) => ({ ...each, value: { ref: { kind: "file", file: each.value.id }, title: each.title } })),
  ];
  if (address) all.push(addressChoice(address));
  const title = words.trim();
  if (create && title && !pages.some((each) => each.title.toLowerCase() === title.toLowerCase())) {
    const make = async (): Promise<Target> => {
      const page = await services.createPage(title);
      return { ref: { kind: "page", page: page.id }, title: page.title };
    };
    all.push({
      id: "create",
      title: t("picker.page.create", { title }),
      icon: <Plus aria-hidden />,
      group: "",
      value: { ref: {}, title, make },
    });
  }
  return all;
}

// emojiChoices lists emoji by their short codes.
export async function emojiChoices(words: string): Promise<Choice<string>[]> {
  const { characters, findEmoji } = await import("../emoji");
  return findEmoji(words).map(({ code, names }) => ({
    id: code,
    title: `:${names[0]}:`,
    icon: <span aria-hidden>{characters(code)}</span>,
    value: code,
  }));
}

// iconChoices lists the icons that content can name.
export async function iconChoices(words: string): Promise<Choice<string>[]> {
  const { glyphNames } = await import("../glyphs");
  const sought = words.trim().toLowerCase().replace(/[\s_]+/g, "-");
  const found = (await glyphNames()).filter((name) => name.includes(sought));
  found.sort((a, b) => Number(b.startsWith(sought)) - Number(a.startsWith(sought)));
  return found.slice(0, 60).map((name) => ({ id: name, title: name, icon: <Glyph name={name} />, value: name }));
}
