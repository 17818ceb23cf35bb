import { afterEach, expect, it, vi } from "vitest";
import { sizeFields } from "./fieldSizing";

afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

it("makes fields as high as their text where the browser does not, and no others", async () => {
  vi.stubGlobal("CSS", { supports: () => false });
  vi.stubGlobal("ResizeObserver", class { observe() {} });
  // Nothing has a size without a screen: each line is 20 high.
  const size = (name: string, of: (field: HTMLTextAreaElement) => number) =>
    Object.defineProperty(HTMLTextAreaElement.prototype, name, {
      configurable: true,
      get() {
        return of(this as HTMLTextAreaElement);
      },
    });
  size("scrollHeight", ({ value }) => value.split("\n").length * 20);
  size("clientWidth", () => 100);
  sizeFields();
  const around = document.createElement("div");
  around.innerHTML = `<textarea style="--field-sizing: content">one\ntwo</textarea><textarea>one\ntwo</textarea>`;
  document.body.append(around);
  const [sized, other] = [...around.querySelectorAll("textarea")] as [HTMLTextAreaElement, HTMLTextAreaElement];
  await vi.waitFor(() => expect(sized.style.height).toBe("40px"));
  sized.value = "one\ntwo\nthree";
  sized.dispatchEvent(new Event("input", { bubbles: true }));
  expect(sized.style.height).toBe("60px");
  sized.value = "one";
  sized.defaultValue = "one";
  await vi.waitFor(() => expect(sized.style.height).toBe("20px"));
  expect(other.style.height).toBe("");
});
