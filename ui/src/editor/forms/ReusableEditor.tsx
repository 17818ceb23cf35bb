// The text of a reusable content, which is saved wherever it stands.
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { Button } from "../../look/Button";
import { Skeleton } from "../../look/Skeleton";
import { t } from "../../words/words";
import type { JsonDocument } from "../document";
import type { ReusableText, Services } from "../services";
import styles from "./Forms.module.css";

const Editor = lazy(async () => ({ default: (await import("../Editor")).Editor }));

type Props = { id: string; services: Services; onDone: () => void };

export function ReusableEditor({ id, services, onDone }: Props) {
  const [found, setFound] = useState<ReusableText | null | undefined>(undefined);
  const [state, setState] = useState<"" | "busy" | "failed">("");
  const written = useRef<(() => JsonDocument) | null>(null);
  useEffect(() => {
    let left = false;
    services.reusable(id).then(
      (content) => !left && setFound(content),
      () => !left && setFound(null),
    );
    return () => void (left = true);
  }, [id, services]);
  const save = () => {
    if (!written.current) return onDone();
    setState("busy");
    services.saveReusable(id, written.current()).then(onDone, () => setState("failed"));
  };
  if (found === undefined) return <Skeleton lines={4} />;
  if (found === null) return <p className={styles.fault}>{t("editor.reusable.failed")}</p>;
  return (
    <>
      <p className={styles.note}>{t("editor.reusable.everywhere", { title: found.title })}</p>
      <div className={styles.nested}>
        <Suspense fallback={<Skeleton lines={4} />}>
          <Editor
            document={found.document}
            label={t("editor.reusable.text", { title: found.title })}
            services={services}
            onChange={(write) => void (written.current = write)}
          />
        </Suspense>
      </div>
      {state === "failed" && (
        <p className={styles.fault} role="alert">
          {t("editor.reusable.unsaved")}
        </p>
      )}
      <div className={styles.actions}>
        <Button onClick={onDone}>{t("look.cancel")}</Button>
        <Button kind="primary" busy={state === "busy"} onClick={save}>
          {t("editor.reusable.save")}
        </Button>
      </div>
    </>
  );
}
