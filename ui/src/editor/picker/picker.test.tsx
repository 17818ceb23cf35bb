// The picker with the keyboard, and what links can lead to.
import { act, fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { addressOf } from "../address";
import { nobody, type PageEntry, type Services } from "../services";
import { targetChoices } from "./choices";
import type { Choice } from "./choice";
import { Picker } from "./Picker";

const pages: PageEntry[] = [
  { id: "p1", title: "Install", trail: ["Guide"], path: "guide/install", type: "document" },
  { id: "p2", title: "Start", trail: [], path: "start", type: "document" },
];
const services: Services = {
  ...nobody,
  here: "p2",
  page: (id) => pages.find((page) => page.id === id) ?? null,
  pages: (words) => Promise.resolve(pages.filter(({ title }) => title.toLowerCase().startsWith(words.toLowerCase()))),
  headings: (page) => Promise.resolve([{ id: `in-${page}`, title: "On Linux", level: 1 }]),
  people: (words) => Promise.resolve(words === "ada" ? [{ id: "u1", name: "Ada" }] : []),
  createPage: (title) => Promise.resolve({ id: "p3", title, trail: [], path: "new", type: "document" }),
  refOf: (address) => (address === "https://docs.example.org/install" ? { kind: "page", page: "p1" } : null),
};
const refs = async (words: string) =>
  (await targetChoices(services, words, { people: true, addresses: true })).map(({ value }) => value.ref);

test("leads to pages, headings, people and addresses", async () => {
  expect(await refs("ins")).toEqual([{ kind: "page", page: "p1" }]);
  expect(await refs("inst#lin")).toEqual([{ kind: "anchor", page: "p1", anchor: "in-p1" }]);
  expect(await refs("#")).toEqual([{ kind: "anchor", page: "p2", anchor: "in-p2" }]);
  expect(await refs("inst#mac")).toEqual([]);
  expect(await refs("ada")).toEqual([{ kind: "user", user: "u1" }]);
  expect(await refs("https://example.org/a?b#c")).toEqual([{ kind: "url", url: "https://example.org/a?b#c" }]);
  expect(await refs("https://docs.example.org/install")).toEqual([{ kind: "page", page: "p1" }]);
  const [made] = await targetChoices(services, "Later", { create: true });
  expect(await made?.value.make?.()).toEqual({ ref: { kind: "page", page: "p3" }, title: "Later" });
  expect(await targetChoices(services, "install", { create: true })).toHaveLength(1);
});

test("takes addresses of the web and of mail alone", () => {
  expect(addressOf(" example.org/a ")).toBe("https://example.org/a");
  expect(addressOf("ada@example.org")).toBe("mailto:ada@example.org");
  for (const text of [
    "javascript:alert(1)",
    "data:text/html,x",
    "https://",
    "a b.org",
    "install.md",
    "word",
    "//host.org",
    "ftp://example.org",
  ])
    expect(addressOf(text), text).toBeNull();
});

// jsdom scrolls nothing.
Element.prototype.scrollIntoView = () => undefined;

const choice = (title: string): Choice<string> => ({ id: title, title, value: title });

test("walks with arrows, takes with Enter what answers the words, and leaves with Escape", async () => {
  const chosen = vi.fn();
  const left = vi.fn();
  let fails = true;
  const search = (words: string) => {
    if (words === "x" && fails) return Promise.reject(new Error());
    return Promise.resolve(["One", "Two", "Three"].filter((title) => title.toLowerCase().includes(words)).map(choice));
  };
  render(<Picker label="Number" search={search} onChoose={chosen} onCancel={left} />);
  const field = screen.getByRole("combobox", { name: "Number" });
  await screen.findByRole("option", { name: "Two" });
  fireEvent.keyDown(field, { key: "ArrowUp" });
  expect(field.getAttribute("aria-activedescendant")).toBe(screen.getByRole("option", { selected: true }).id);
  expect(screen.getByRole("option", { selected: true }).textContent).toBe("Three");
  // Enter takes what answers the words, also when that is not there yet.
  fireEvent.change(field, { target: { value: "tw" } });
  fireEvent.keyDown(field, { key: "Enter" });
  expect(chosen).not.toHaveBeenCalled();
  await act(async () => {});
  expect(chosen).toHaveBeenCalledExactlyOnceWith("Two", expect.anything());
  fireEvent.change(field, { target: { value: "x" } });
  const again = await screen.findByRole("button", { name: "Try again" });
  fails = false;
  fireEvent.click(again);
  await screen.findByText("Nothing is called so.");
  fireEvent.keyDown(field, { key: "Escape" });
  expect(left).toHaveBeenCalledOnce();
});
