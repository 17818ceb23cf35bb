import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { IconButton } from "./Button";
import { TooltipHost } from "./Tooltip";

afterEach(cleanup);

it("names what the pointer rests on, and goes with a press", async () => {
  render(
    <>
      <IconButton label="Options" keys="Mod+K">
        …
      </IconButton>
      <TooltipHost />
    </>,
  );
  const button = screen.getByRole("button", { name: "Options" });
  fireEvent.pointerOver(button);
  expect(screen.queryByText("Options")).toBe(null);
  const shown = await screen.findByText("Options");
  // Whoever moves on to the tooltip can read it.
  fireEvent.pointerOver(shown);
  expect(screen.queryByText("Options")).not.toBe(null);
  act(() => void fireEvent.pointerDown(button));
  expect(screen.queryByText("Options")).toBe(null);
});

it("says nothing of a menu that is open", async () => {
  render(
    <>
      <IconButton label="More" aria-expanded>
        …
      </IconButton>
      <IconButton label="Less">…</IconButton>
      <TooltipHost />
    </>,
  );
  fireEvent.pointerOver(screen.getByRole("button", { name: "More" }));
  fireEvent.pointerOver(screen.getByRole("button", { name: "Less" }));
  await screen.findByText("Less");
  expect(screen.queryByText("More")).toBe(null);
});
