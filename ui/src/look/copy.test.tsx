import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { copy } from "./copy";
import { CopyButton } from "./CopyButton";

const set = (clipboard: unknown) =>
  Object.defineProperty(navigator, "clipboard", { value: clipboard, configurable: true });

afterEach(() => {
  cleanup();
  set(undefined);
});

// selected is what the browser would copy.
const selected = () => {
  const field = document.activeElement as HTMLTextAreaElement;
  return field.value.slice(field.selectionStart, field.selectionEnd);
};

test("a text goes through the browser's clipboard where there is one", async () => {
  const writeText = vi.fn(() => Promise.resolve());
  set({ writeText });
  expect(await copy("a\nb")).toBe(true);
  expect(writeText).toHaveBeenCalledWith("a\nb");
});

test("without one, or where it is not allowed, it is selected and copied, and the focus comes back", async () => {
  let taken = "";
  document.execCommand = () => {
    taken = selected();
    return true;
  };
  render(<button autoFocus>Here</button>);
  screen.getByRole("button").focus();
  for (const clipboard of [undefined, { writeText: () => Promise.reject(new Error("denied")) }]) {
    set(clipboard);
    taken = "";
    expect(await copy("a\nb")).toBe(true);
    expect(taken).toBe("a\nb");
    expect(document.activeElement).toBe(screen.getByRole("button"));
    expect(document.querySelector("textarea")).toBe(null);
  }
});

test("the button says what came of it, and is itself again for another text", async () => {
  document.execCommand = () => false;
  const { rerender } = render(<CopyButton text="one" label="Copy link" />);
  fireEvent.click(screen.getByRole("button", { name: "Copy link" }));
  await screen.findByRole("button", { name: "Could not be copied" });
  document.execCommand = () => true;
  fireEvent.click(screen.getByRole("button"));
  await screen.findByRole("button", { name: "Copied" });
  rerender(<CopyButton text="two" label="Copy link" />);
  screen.getByRole("button", { name: "Copy link" });
});
