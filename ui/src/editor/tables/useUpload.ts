// Sending a file from a panel: how far it is, and what went wrong.
import { useEffect, useRef, useState } from "react";
import { t } from "../../words/words";
import { UploadError, type FileEntry, type Services, type Upload } from "../services";

export function useUpload(services: Services, onDone: (file: FileEntry) => void) {
  const [part, setPart] = useState<number | null>(null);
  const [fault, setFault] = useState("");
  const under = useRef<Upload | null>(null);
  // A panel that closes sends nothing more.
  useEffect(() => () => under.current?.cancel(), []);
  const send = async (file: File) => {
    setFault("");
    setPart(0);
    under.current = services.upload(file, setPart);
    try {
      onDone(await under.current.done);
    } catch (failure) {
      if (failure instanceof UploadError && failure.kind === "cancelled") return;
      setFault(
        (failure instanceof UploadError && failure.message) || t("editor.table.upload.failed", { name: file.name }),
      );
    } finally {
      under.current = null;
      setPart(null);
    }
  };
  return { part, fault, send };
}
