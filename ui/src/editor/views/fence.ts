// A block that code in a language stands for, as the script of its integration draws it from the code.
import type { EditorView } from "@tiptap/pm/view";
import type { Mounted } from "../../kit/mount";
import { around } from "../panels";
import type { Installed } from "../services";
import { element } from "./dom";

// How long it waits after a key before it draws again.
const pause = 600;

export class Fence {
  readonly dom = element("div", { class: "diagram kit-fence", contenteditable: "false" });
  private kit: Mounted | null = null;
  private source: string | null = null;
  private timer = 0;
  private ended = false;

  constructor(
    private readonly view: EditorView,
    private readonly block: Installed,
  ) {}

  // draw draws another source, a moment after the last change.
  draw(source: string): void {
    if (source === this.source) return;
    const first = this.source === null;
    this.source = source;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.drawn(), first ? 0 : pause);
  }

  private async drawn(): Promise<void> {
    const { services } = around(this.view);
    const { integration, block, property } = this.block;
    const { mount } = await import("../../kit/mount");
    if (this.ended) return;
    const props = { [property]: this.source };
    if (this.kit) return this.kit.given(props);
    this.kit = mount(this.dom, {
      // It is drawn as for readers: the code is changed where it stands, not in a field of the script's.
      integration, block, props, draw: services.drawing(integration, () => false),
      specs: async () => (await services.specs()).map(({ slug }) => ({ id: slug, label: slug })),
      onProperties: null,
      onDrawn: (something) => this.dom.classList.toggle("is-drawn", something),
    });
  }

  destroy(): void {
    this.ended = true;
    clearTimeout(this.timer);
    this.kit?.end();
  }
}
