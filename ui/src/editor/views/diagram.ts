// Diagrams, drawn as on published sites: in a frame without an origin, where their source can do nothing but draw.
import { t } from "../../words/words";
import { element } from "./dom";

// How long it waits after a key before it draws again.
const pause = 250;

const colours = {
  bg: "bg",
  subtle: "bg-subtle",
  soft: "primary-soft",
  line: "primary-line",
  border: "border-strong",
  heading: "heading",
  muted: "muted",
};

// The drawing takes the colours of the app, as the plain sRGB that every library reads.
function palette(): Record<string, string> {
  const canvas = element("canvas", { width: "1", height: "1" });
  const brush = canvas.getContext("2d", { willReadFrequently: true });
  const probe = element("span");
  probe.hidden = true;
  document.body.append(probe);
  const read = (name: string) => {
    probe.style.color = `var(--${name})`;
    if (!brush) return "#888888";
    brush.fillStyle = getComputedStyle(probe).color;
    brush.fillRect(0, 0, 1, 1);
    return `#${[...brush.getImageData(0, 0, 1, 1).data]
      .slice(0, 3)
      .map((value) => value.toString(16).padStart(2, "0"))
      .join("")}`;
  };
  const found = Object.fromEntries(Object.entries(colours).map(([name, token]) => [name, read(token)]));
  probe.remove();
  return found;
}

// Diagram is a place where the drawing of a source stands, with what is wrong with the source below.
export class Diagram {
  readonly dom = element("div", { class: "diagram", contenteditable: "false" });
  private readonly fault = element("p", { class: "fault", role: "status" });
  private frame: HTMLIFrameElement | null = null;
  private ready = false;
  private source = "";
  private timer = 0;
  private readonly dark = matchMedia("(prefers-color-scheme: dark)");
  private readonly near = new IntersectionObserver(
    (entries) => entries.some((entry) => entry.isIntersecting) && this.begin(),
    { rootMargin: "600px" },
  );

  constructor() {
    this.fault.hidden = true;
    this.dom.append(this.fault);
  }

  // draw draws another source, a moment after the last change.
  draw(source: string): void {
    if (source === this.source) return;
    this.source = source;
    clearTimeout(this.timer);
    if (!this.frame) this.near.observe(this.dom);
    else this.timer = window.setTimeout(this.send, pause);
  }

  destroy(): void {
    clearTimeout(this.timer);
    this.near.disconnect();
    removeEventListener("message", this.heard);
    this.dark.removeEventListener("change", this.send);
  }

  // The script is large: it is loaded when a diagram comes near the screen.
  private begin(): void {
    this.near.disconnect();
    if (this.frame) return;
    this.frame = element("iframe", {
      class: "diagram-frame visually-hidden",
      sandbox: "allow-scripts",
      title: t("editor.diagram"),
      src: "/-/drawing/diagram.html",
      tabindex: "-1",
    });
    addEventListener("message", this.heard);
    this.dark.addEventListener("change", this.send);
    this.dom.prepend(this.frame);
  }

  private readonly send = (): void => {
    if (!this.ready || this.source.trim() === "") return this.show(0, 0, "");
    this.frame?.contentWindow?.postMessage({ source: this.source, dark: this.dark.matches, colours: palette() }, "*");
  };

  // The frame has no origin of its own: only its window identifies it.
  private readonly heard = (event: MessageEvent): void => {
    if (!this.frame || event.source !== this.frame.contentWindow) return;
    if (event.data === "ready") {
      this.ready = true;
      return this.send();
    }
    const { width, height, fault } = (event.data ?? {}) as { width?: unknown; height?: unknown; fault?: unknown };
    this.show(Number(width) || 0, Number(height) || 0, typeof fault === "string" ? fault : "");
  };

  private show(width: number, height: number, fault: string): void {
    const drawn = width > 0 && height > 0;
    this.fault.hidden = fault === "";
    this.fault.textContent = fault ? t("editor.diagram.fault", { fault }) : "";
    if (!this.frame || (!drawn && fault)) return;
    this.frame.classList.toggle("visually-hidden", !drawn);
    // What was drawn last stays while the source is wrong.
    const scale = Math.min(1, (this.dom.clientWidth || width) / Math.max(width, 1));
    if (drawn) this.frame.style.height = `${Math.ceil(height * scale)}px`;
    this.dom.classList.toggle("is-drawn", drawn);
  }
}
