// The Markdown of a page while it is written. Like the rich editor it knows nothing of screens. Load it lazily.
import { TriangleAlert } from "lucide-react";
import { useEffect, useImperativeHandle, useRef, useState, type Ref } from "react";
import type { ViewState } from "../code/viewState";
import type { Target } from "../find/finder";
import { Button } from "../look/Button";
import "../look/article.css";
import { t } from "../words/words";
import "./source.css";
import type { Read } from "./faults";
import { outlineOf } from "./outline";
import { SourceText } from "./text";

// Handle is what the one who shows the text can do with it.
export interface Handle {
  receive(markdown: string): void;
  replace(markdown: string): void;
  write(): string;
  viewState(): ViewState | null;
  // target is the text as something to find in.
  target(): Target | null;
}

type Props = {
  // The text as the API gives it. Later ones go through the handle.
  markdown: string;
  editable: boolean;
  // What the text is, for those who listen.
  label: string;
  read: Read | null;
  // check asks what is wrong in a text.
  check: (text: string) => Promise<Read>;
  onChange: (write: () => string) => void;
  // Where to begin.
  viewState: ViewState | null;
  // Called with what reads headings and counts of the text, null once it is gone.
  onText: (text: ReturnType<typeof outlineOf> | null) => void;
  ref?: Ref<Handle>;
};

export function Source({ markdown, editable, label, read, check, onChange, viewState, onText, ref }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [text, setText] = useState<SourceText | null>(null);
  const [faults, setFaults] = useState(0);
  // The newest of what it was given, for a view that lives longer than a drawing of this component.
  const given = useRef({ check, onChange, onText });
  given.current = { check, onChange, onText };
  const first = useRef({ markdown, editable, label, read, viewState });

  // CodeMirror's view is outside of React: it begins and ends with the element.
  useEffect(() => {
    if (!place.current) return;
    const made = new SourceText(place.current, {
      ...first.current,
      check: (now) => given.current.check(now),
      onChange: (write) => given.current.onChange(write),
      onFaults: setFaults,
    });
    setText(made);
    given.current.onText(outlineOf(made));
    if (first.current.viewState) made.go(first.current.viewState);
    return () => {
      setText(null);
      given.current.onText(null);
      made.view.destroy();
    };
  }, []);

  useEffect(() => text?.allow(editable), [text, editable]);

  useImperativeHandle(
    ref,
    () => ({
      receive: (next) => text?.receive(next),
      replace: (next) => text?.replace(next),
      write: () => text?.write() ?? first.current.markdown,
      viewState: () => text?.viewState() ?? null,
      target: () => text?.target() ?? null,
    }),
    [text],
  );

  return (
    <div className="source">
      <div ref={place} className="chroma" />
      {faults > 0 && (
        <div className="source-faults" role="status">
          <Button kind="quiet" icon={<TriangleAlert aria-hidden />} onClick={() => text?.nextFault()}>
            {t("source.faults", { count: faults })}
          </Button>
        </div>
      )}
    </div>
  );
}
