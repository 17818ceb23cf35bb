// A page of an integration's in a frame without rights here. It is told what its data is bound to once it says that it
// is ready, says how large it is, and may have its component drawn again.
import { useEffect, useRef, useState } from "react";
import { t } from "../words/words";
import { useKit } from "./context";
import { Buttons } from "./Elements";
import { addressIn, own, type Action, type Element } from "./elements";
import styles from "./Kit.module.css";
import { actionOf } from "./parse";

// So high is a frame at most, in pixels.
const highest = 10_000;

const positive = (value: unknown): number | null =>
  Number.isFinite(Number(value)) && Number(value) > 0 ? Number(value) : null;

interface Size {
  aspectRatio?: number;
  height?: number;
  maxHeight?: number;
}

function sizeOf(said: unknown): Size {
  const size = (typeof said === "object" && said !== null ? said : {}) as Record<string, unknown>;
  const [ratio, height, most] = [positive(size["aspectRatio"]), positive(size["height"]), positive(size["maxHeight"])];
  return {
    ...(ratio ? { aspectRatio: ratio } : {}),
    ...(height ? { height: Math.min(height, highest) } : {}),
    ...(most ? { maxHeight: Math.min(most, highest) } : {}),
  };
}

function read(data: unknown): { context?: unknown; height?: unknown; action?: unknown } {
  try {
    const said: unknown = typeof data === "string" ? JSON.parse(data) : data;
    return typeof said === "object" && said !== null ? said : {};
  } catch {
    return {};
  }
}

export function WebFrame({ element }: { element: Element }) {
  const { state, heard } = useKit();
  const frame = useRef<HTMLIFrameElement>(null);
  const [ready, setReady] = useState(false);
  const [size, setSize] = useState<Size>({});
  const address = addressIn(element.address, state);
  const data = JSON.stringify(
    Object.fromEntries(
      Object.entries(element.data).map(([name, value]) => [
        name,
        typeof value === "string" ? value : (own(state, value.state) ?? null),
      ]),
    ),
  );
  const latest = useRef(heard);
  latest.current = heard;

  useEffect(() => {
    // A frame without an origin of its own can be named by no other target; what it is told is the state of its
    // component.
    if (ready) frame.current?.contentWindow?.postMessage({ state: JSON.parse(data) as unknown }, "*");
  }, [ready, data]);

  useEffect(() => {
    const listen = (event: MessageEvent) => {
      if (!frame.current || event.source !== frame.current.contentWindow) return;
      const said = read(event.data);
      if (said.context === "iframe.resize") return setSize(sizeOf({ height: said.height }));
      const action: Action | null = actionOf(said.action);
      if (action?.action === "@webframe.ready") return setReady(true);
      if (action?.action === "@webframe.resize") return setSize((before) => ({ ...before, ...sizeOf(action["size"]) }));
      // Where a frame of a page leads, no page of the site is open here.
      if (action && action.action !== "@webframe.navigate") latest.current(action);
    };
    addEventListener("message", listen);
    return () => removeEventListener("message", listen);
  }, []);

  if (!/^https?:/i.test(address)) return null;
  // A frame of this very host would have the rights of the app.
  const apart = new URL(address).hostname !== location.hostname;
  return (
    <div className={styles.column}>
      <iframe
        ref={frame}
        src={address}
        title={t("kit.frame")}
        className={styles.frame}
        sandbox={`allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads${apart ? " allow-same-origin" : ""}`}
        allow="fullscreen; clipboard-write"
        referrerPolicy="strict-origin-when-cross-origin"
        style={{
          ...(size.height ? { height: size.height } : { aspectRatio: size.aspectRatio ?? (element.ratio || 16 / 9) }),
          ...(size.maxHeight ? { maxHeight: size.maxHeight } : {}),
        }}
      />
      <Buttons list={element.buttons} />
    </div>
  );
}
