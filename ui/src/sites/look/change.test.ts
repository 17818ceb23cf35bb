import { expect, test } from "vitest";
import type { Customization } from "../queries";
import { type Change, difference, merged, overrides, ownable, undone } from "./change";

const now = {
  styling: { theme: "clean", primaryColor: { light: "#000000", dark: "#ffffff" } },
  header: {
    preset: "default",
    links: [{ title: "Blog" }],
    logo: { light: "https://a.example/l.png", dark: "https://a.example/d.png" },
  },
  favicon: { emoji: "1f680" },
  git: { showEditLink: true },
} as unknown as Customization;
const change = (part: unknown) => part as Change;

test("lays a part over what is there", () => {
  const next = merged(now, {
    styling: { theme: "bold" },
    header: { logo: null, links: [] },
    favicon: { emoji: null, icon: { light: "a", dark: "b" } },
  });
  expect(next).toEqual({
    ...now,
    styling: { ...now.styling, theme: "bold" },
    header: { preset: "default", links: [] },
    favicon: { icon: { light: "a", dark: "b" } },
  });
  expect(merged({ a: 1 }, { announcement: { enabled: true, link: null } })).toEqual({
    a: 1,
    announcement: { enabled: true },
  });
});

test("takes back what a step has changed, and nothing that others have changed since", () => {
  const after = merged(now, {
    styling: { theme: "bold" },
    header: { logo: null, links: [] },
    favicon: { emoji: null, icon: { light: "a", dark: "b" } },
  });
  expect(merged(after, difference(after, now))).toEqual(now);
  expect(merged(now, difference(now, after))).toEqual(after);
  expect(difference(now, { ...now })).toEqual({});
  const since = merged(after, { styling: { primaryColor: { light: "#123456" } }, title: "Ours" });
  expect(merged(since, difference(after, now))).toEqual({
    ...now,
    title: "Ours",
    styling: { theme: "clean", primaryColor: { light: "#123456", dark: "#ffffff" } },
  });
});

test("says what a space has of its own, each value whole", () => {
  expect(overrides(now, change({ styling: { primaryColor: { light: "#111111" } }, header: { logo: null } }))).toEqual({
    styling: { primaryColor: { light: "#111111", dark: "#ffffff" } },
    header: { logo: null },
  });
  expect(overrides(now, change({ git: { showEditLink: false } }))).toEqual({});
  expect([ownable("styling.theme"), ownable("feedback.enabled"), ownable("git.showEditLink")]).toEqual([
    true,
    true,
    false,
  ]);
});

test("gives back to the site what was the site's", () => {
  const changed = merged(now, { styling: { theme: "bold" }, favicon: { emoji: "1f4d6" } });
  const own = merged(now, { favicon: { emoji: "2b50" } });
  expect(undone(changed, own, now)).toEqual({ styling: { theme: null }, favicon: { emoji: "2b50" } });
});
