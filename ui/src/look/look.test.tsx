import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { Failure } from "../api/client";
import { t } from "../words/words";
import { AskDialog } from "./AskDialog";
import { colourOf, initials } from "./person";
import { Button, IconButton } from "./Button";
import { Dialog } from "./Dialog";
import { failureText } from "./Failed";
import { Field } from "./Field";
import { spell } from "./Keys";
import { Menu, MenuItem } from "./Menu";
import { NameDialog } from "./NameDialog";

afterEach(cleanup);

describe("look", () => {
  it("takes initials of the first and last word, whatever the script", () => {
    expect(initials("Ada Byron King")).toBe("AK");
    expect(initials("ångström")).toBe("Å");
    expect(initials("😀 smile")).toBe("😀S");
    expect(initials("")).toBe("");
  });

  it("gives a name one colour", () => {
    expect(colourOf("Ada")).toBe(colourOf("Ada"));
    expect(colourOf("Ada")).toBeLessThan(8);
  });

  it("spells keys as the keyboard has them", () => {
    expect(spell("Mod+Shift+K", true)).toEqual(["⌘", "⇧", "K"]);
    expect(spell("Mod+Alt+K", false)).toEqual(["Ctrl", "Alt", "K"]);
  });

  it("says what failed in the server's words, or that it is away", () => {
    expect(failureText(new Failure(403, "You may not do this."))).toBe("You may not do this.");
    expect(failureText(new Failure(0, ""))).toBe(t("failure.network"));
    expect(failureText(new TypeError("x is undefined"))).toBe(t("failure.unknown"));
  });

  it("asks once, and takes nothing unless told to", () => {
    const done: string[] = [];
    const question = (
      <AskDialog
        title="Delete it?"
        text="It is gone then."
        action="Delete"
        onYes={() => done.push("deleted")}
        onClose={() => done.push("closed")}
      >
        It stands on two pages.
      </AskDialog>
    );
    render(question);
    expect(screen.getByText("It stands on two pages.")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: t("look.cancel") }));
    expect(done).toEqual(["closed"]);
    fireEvent.click(screen.getByRole("button", { name: "Delete" }));
    expect(done).toEqual(["closed", "closed", "deleted"]);
  });

  it("keeps what was typed for a name that was refused, and sends none that is the same", async () => {
    const sent: string[] = [];
    let closed = 0;
    const refuse = (name: string) => {
      sent.push(name);
      return name === "taken" ? Promise.reject(new Failure(409, "There is such a file.")) : Promise.resolve();
    };
    render(
      <NameDialog
        title="Rename"
        label="Name"
        first="a.png"
        action="Rename"
        maxLength={255}
        onName={refuse}
        onClose={() => closed++}
      />,
    );
    const field = screen.getByRole<HTMLInputElement>("textbox", { name: "Name" });
    fireEvent.change(field, { target: { value: " taken " } });
    fireEvent.submit(field);
    expect(await screen.findByText("There is such a file.")).toBeTruthy();
    expect([field.value, closed]).toEqual([" taken ", 0]);
    fireEvent.change(field, { target: { value: "a.png" } });
    fireEvent.submit(field);
    expect([sent, closed]).toEqual([["taken"], 1]);
  });

  it("keeps the focus on a button that waits, and does not press it", () => {
    let pressed = 0;
    render(
      <Button busy onClick={() => pressed++}>
        Save
      </Button>,
    );
    const button = screen.getByRole("button");
    button.focus();
    fireEvent.click(button);
    expect([pressed, document.activeElement === button, button.getAttribute("aria-busy")]).toEqual([0, true, "true"]);
  });

  it("ties a field to its name and to what is wrong with it", () => {
    render(<Field label="Title" hint="Readers see it." error="Give it a title." />);
    const field = screen.getByLabelText("Title");
    expect(field.getAttribute("aria-invalid")).toBe("true");
    const described = (field.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .map((id) => document.getElementById(id)?.textContent);
    expect(described).toContain("Give it a title.");
    expect(described).toContain("Readers see it.");
  });

  it("opens a menu with the keyboard and does what was chosen", async () => {
    let chosen = 0;
    render(
      <Menu trigger={<IconButton label="More">…</IconButton>}>
        <MenuItem onClick={() => chosen++}>Rename</MenuItem>
      </Menu>,
    );
    fireEvent.click(screen.getByRole("button", { name: "More" }));
    fireEvent.click(await screen.findByRole("menuitem", { name: "Rename" }));
    expect(chosen).toBe(1);
  });

  it("names a dialog by its title", async () => {
    render(
      <Dialog open onOpenChange={() => {}} title="New space" description="Pages live in spaces.">
        <p>Body</p>
      </Dialog>,
    );
    expect((await screen.findByRole("dialog", { name: "New space" })).textContent).toContain("Body");
  });

  it("has the first field of a dialog be typed into at once", async () => {
    render(
      <Dialog open onOpenChange={() => {}} title="New space">
        <input type="checkbox" />
        <input aria-label="Title" />
      </Dialog>,
    );
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "Title" })));
  });
});
