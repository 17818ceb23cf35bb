// A button beside the block that one is at, to comment on it: it comes where the pointer or the focus is, or where a
// finger taps, and goes when one types. By keyboard it is one stop before the text, and the arrows take it from block
// to block.
import { MessageSquarePlus } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { t } from "../words/words";
import styles from "./BlockButton.module.css";

type Props = {
  // What the blocks are in.
  root: HTMLElement;
  // blocks lists them in their order.
  blocks: () => Element[];
  onAsk: (block: Element) => void;
};

// How long it stays when the pointer has left the text on its way to it, in milliseconds, and how high the header is.
const stay = 300;
const header = 56;

const shortened = (text: string) => text.replace(/\s+/g, " ").trim().slice(0, 80);

// wordsOf names a block by its words, and one without words by what it says of itself, such as a picture's description.
function wordsOf(block: Element): string {
  const label =
    block.querySelector("img[alt]:not([alt=''])")?.getAttribute("alt") ??
    block.querySelector("[aria-label]")?.getAttribute("aria-label");
  return (
    shortened((block as HTMLElement).dataset["words"] ?? block.textContent ?? "") ||
    shortened(label ?? "") ||
    t("comment.wordless")
  );
}

export function BlockButton({ root, blocks, onAsk }: Props) {
  const [block, setBlock] = useState<Element | null>(null);
  const [told, setTold] = useState("");
  const frame = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const leaving = useRef(0);
  const newest = useRef(blocks);
  newest.current = blocks;

  useEffect(() => {
    const around = (target: EventTarget | null) =>
      target instanceof Node ? newest.current().findLast((each) => each.contains(target)) : undefined;
    const at = (target: EventTarget | null) => {
      clearTimeout(leaving.current);
      const found = around(target);
      if (found) setBlock(found);
    };
    const over = (event: PointerEvent) => event.pointerType === "mouse" && at(event.target);
    const leave = () => {
      clearTimeout(leaving.current);
      leaving.current = window.setTimeout(() => document.activeElement !== button.current && setBlock(null), stay);
    };
    const tapped = (event: MouseEvent) => {
      const touch = (event as PointerEvent).pointerType === "touch";
      if (touch && getSelection()?.isCollapsed !== false) at(event.target);
    };
    const focused = (event: FocusEvent) => event.target !== root && at(event.target);
    const typed = () => setBlock(null);
    root.addEventListener("beforeinput", typed);
    root.addEventListener("pointerover", over);
    root.addEventListener("pointerleave", leave);
    root.addEventListener("click", tapped);
    root.addEventListener("focusin", focused);
    return () => {
      clearTimeout(leaving.current);
      root.removeEventListener("beforeinput", typed);
      root.removeEventListener("pointerover", over);
      root.removeEventListener("pointerleave", leave);
      root.removeEventListener("click", tapped);
      root.removeEventListener("focusin", focused);
    };
  }, [root]);

  // It stands where the block does, also after that has moved.
  useEffect(() => {
    const element = frame.current;
    if (!element || !block) return;
    const put = () => {
      if (!block.isConnected) return setBlock(null);
      const box = block.getBoundingClientRect();
      const text = root.getBoundingClientRect();
      element.style.setProperty("top", `${box.top + scrollY}px`);
      element.style.setProperty("height", `${box.height}px`);
      element.style.setProperty("left", `${text.left + scrollX}px`);
      element.style.setProperty("width", `${text.width}px`);
    };
    put();
    const sizes = new ResizeObserver(put);
    sizes.observe(root);
    window.addEventListener("resize", put);
    return () => {
      sizes.disconnect();
      window.removeEventListener("resize", put);
    };
  }, [block, root]);

  const go = (by: number) => {
    const list = newest.current();
    const now = block ? list.indexOf(block) : -1;
    const next = list[Math.min(Math.max(now + by, 0), list.length - 1)];
    if (!next) return;
    setBlock(next);
    setTold(wordsOf(next));
    next.scrollIntoView({ block: "nearest" });
  };
  const onFocus = () => {
    if (block) return;
    const seen = newest.current().find((each) => each.getBoundingClientRect().bottom > header);
    if (seen) setBlock(seen);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    go(by);
  };
  return (
    <div ref={frame} className={styles.frame} data-shown={block !== null}>
      <button
        ref={button}
        type="button"
        className={styles.button}
        aria-label={block ? t("comment.onBlock", { words: wordsOf(block) }) : t("comment.onBlocks")}
        title={t("comment.block")}
        onFocus={onFocus}
        onBlur={() => setBlock(null)}
        onKeyDown={onKeyDown}
        onPointerEnter={() => clearTimeout(leaving.current)}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => block && onAsk(block)}
      >
        <MessageSquarePlus aria-hidden />
      </button>
      <span role="status" className="visually-hidden">
        {told}
      </span>
    </div>
  );
}
