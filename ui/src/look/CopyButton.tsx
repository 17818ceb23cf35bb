import { Check, CircleAlert, Copy } from "lucide-react";
import { useState } from "react";
import { t } from "../words/words";
import { Button, type ButtonKind } from "./Button";
import { copy } from "./copy";

type Props = { text: string; label: string; kind?: ButtonKind };

// CopyButton copies a text, and says what came of it.
export function CopyButton({ text, label, kind = "plain" }: Props) {
  // What was copied last, and whether that went well.
  const [last, setLast] = useState<{ text: string; done: boolean } | null>(null);
  const now = last?.text === text ? last : null;
  return (
    <Button
      kind={kind}
      icon={now === null ? <Copy /> : now.done ? <Check /> : <CircleAlert />}
      onClick={() => void copy(text).then((done) => setLast({ text, done }))}
    >
      {now === null ? label : t(now.done ? "access.copied" : "access.notCopied")}
    </Button>
  );
}
