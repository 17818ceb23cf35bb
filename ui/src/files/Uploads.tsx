// Files on their way: how far each is, and what can be done about one that did not arrive.
import type { UploadFault } from "../editor/services";
import { sizeOf } from "../editor/media/size";
import { Button } from "../look/Button";
import { t, type Key } from "../words/words";
import styles from "./Files.module.css";
import type { Upload } from "./useUploads";

const reasons: Record<UploadFault, Key> = {
  large: "editor.upload.large",
  type: "editor.upload.type",
  network: "editor.upload.network",
  refused: "editor.upload.refused",
  cancelled: "editor.upload.network",
};

type Props = { uploads: Upload[]; onCancel: (upload: Upload) => void; onRetry: (upload: Upload) => void };

export function Uploads({ uploads, onCancel, onRetry }: Props) {
  if (uploads.length === 0) return null;
  return (
    <ul className={styles.uploads} aria-label={t("files.uploads")}>
      {uploads.map((upload) => {
        const { id, file, part, fault, reason } = upload;
        return (
          <li key={id} className={styles.upload} data-fault={fault}>
            <span className={styles.name}>{file.name}</span>
            {fault ? (
              <span role="alert">{`${t(reasons[fault])} ${reason ?? ""}`.trim()}</span>
            ) : (
              <>
                <progress value={part} aria-label={t("editor.upload.progress", { name: file.name })} />
                <span className={styles.about}>{part < 1 ? sizeOf(file.size) : t("editor.upload.nearly")}</span>
              </>
            )}
            {fault && fault !== "large" && <Button onClick={() => onRetry(upload)}>{t("failure.retry")}</Button>}
            <Button kind="quiet" onClick={() => onCancel(upload)}>
              {t(fault ? "editor.remove" : "look.cancel")}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
