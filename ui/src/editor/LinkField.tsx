// The address of a link: Enter sets it, an empty one takes the link away, Escape leaves it.
import { Check, Unlink } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../look/Button";
import { t } from "../words/words";
import styles from "./SelectionBar.module.css";

type Props = { first: string; onDone: (url: string) => void; onCancel: () => void };

const unsafe = /^\s*(javascript|data|vbscript):/i;

// A bare name of a host is an address on the web.
const whole = (url: string) => (/^[\w-]+(\.[\w-]+)+([/?#]|$)/.test(url) && !url.endsWith(".md") ? `https://${url}` : url);

export function LinkField({ first, onDone, onCancel }: Props) {
  const [url, setURL] = useState(first);
  return (
    <form
      className={styles.link}
      onSubmit={(event) => {
        event.preventDefault();
        if (!unsafe.test(url)) onDone(whole(url.trim()));
      }}
      onKeyDown={(event) => event.key === "Escape" && onCancel()}
    >
      <input autoFocus value={url} onChange={(event) => setURL(event.target.value)} aria-label={t("editor.link.address")} aria-invalid={unsafe.test(url)} placeholder="https://" inputMode="url" autoComplete="off" />
      <IconButton type="submit" label={t("editor.link.set")}>
        <Check />
      </IconButton>
      {first && (
        <IconButton label={t("editor.link.remove")} onClick={() => onDone("")}>
          <Unlink />
        </IconButton>
      )}
    </form>
  );
}
