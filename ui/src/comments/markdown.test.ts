import { expect, it } from "vitest";
import { render } from "./markdown";

it.each([
  ["<img src=x onerror=alert(1)>", /^<p>&lt;img/],
  ["[a](javascript:alert(1))", /^<p>\[a\]\(javascript/],
  ["[a](data:text/html,x)", /^<p>\[a\]\(data/],
  ["![a](https://example.com/x.png)", /^<p>!<a href/],
  ["[a](/app/x)", /^<p>\[a\]/],
])("lets %s do nothing", (markdown, html) => expect(render(markdown)).toMatch(html));

it("leads out of the app in another tab, and names people", () => {
  expect(render('See https://example.com, [Ada](/users/user_1 "mention") **now**')).toBe(
    '<p>See <a href="https://example.com" target="_blank" rel="noopener noreferrer nofollow">https://example.com</a>, <span class="mention">@Ada</span> <strong>now</strong></p>\n',
  );
});
