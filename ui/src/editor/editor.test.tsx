import { Selection } from "@tiptap/pm/state";
import { act, cleanup, render } from "@testing-library/react";
import { Profiler } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Editor } from "./Editor";
import type { JsonDocument } from "./document";
import type { Session } from "./session";
import { say } from "./tables/note";

const text = (text: string, marks: object[] = []) => ({
  object: "text",
  leaves: [{ object: "leaf", text, marks }],
});

const document = {
  object: "document",
  data: { schemaVersion: 2 },
  nodes: [
    { object: "block", type: "paragraph", data: {}, nodes: [text("One.")] },
    { object: "block", type: "paragraph", data: {}, nodes: [text("Two.")] },
  ],
} as unknown as JsonDocument;

// What a browser has beside the document.
beforeEach(() => {
  vi.stubGlobal("ResizeObserver", class {
    observe() {}
    unobserve() {}
    disconnect() {}
  });
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("draws nothing anew while text is typed", () => {
  let session = null as Session | null;
  let drawn = 0;
  render(
    <Profiler id="editor" onRender={() => drawn++}>
      <Editor document={document} label="Text" onSession={(made) => (session ??= made)} />
    </Profiler>,
  );
  const { view } = session!;
  const type = (text: string) => act(() => view.dispatch(view.state.tr.insertText(text)));
  act(() => view.dispatch(view.state.tr.setSelection(Selection.near(view.state.doc.resolve(3)))));
  type("a");
  const before = drawn;
  type("b");
  type("c");
  expect(drawn - before).toBe(0);
  act(() => say(view, "A note."));
  expect(drawn - before).toBeGreaterThan(0);
});
