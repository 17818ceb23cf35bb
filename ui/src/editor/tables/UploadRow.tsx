// A button that sends a file, with how far it is.
import { Upload as UploadIcon } from "lucide-react";
import { useRef } from "react";
import { Button } from "../../look/Button";
import { t } from "../../words/words";
import type { FileEntry, Services } from "../services";
import styles from "./panels.module.css";
import { useUpload } from "./useUpload";

type Props = { services: Services; accept?: string; onDone: (file: FileEntry) => void };

export function UploadRow({ services, accept, onDone }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const { part, fault, send } = useUpload(services, onDone);
  return (
    <>
      <input
        ref={field}
        type="file"
        hidden
        {...(accept ? { accept } : {})}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = "";
          if (file) void send(file);
        }}
      />
      <Button
        kind="quiet"
        icon={<UploadIcon aria-hidden />}
        busy={part !== null}
        onClick={() => field.current?.click()}
      >
        {part === null ? t("editor.table.upload") : t("editor.table.upload.part", { percent: Math.round(part * 100) })}
      </Button>
      {fault && <p role="alert" className={styles.fault}>{fault}</p>}
    </>
  );
}
