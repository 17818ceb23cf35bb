// The logo of an organization: a picture from the device, or one that the server fetches from an address.
import { useMutation } from "@tanstack/react-query";
import { Upload } from "lucide-react";
import { useRef } from "react";
import { Banner } from "../look/Banner";
import { Button } from "../look/Button";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import type { Organization } from "../shell/organization";
import { t } from "../words/words";
import styles from "./Settings.module.css";
import { dataURL } from "./picture";

class NoPicture extends Error {}

export function Logo({
  organization,
  save,
}: {
  organization: Organization;
  save: (logo: string | null) => Promise<unknown>;
}) {
  const device = useRef<HTMLInputElement>(null);
  const change = useMutation({
    mutationFn: async (chosen: File | null) =>
      save(chosen && (await dataURL(chosen).catch(() => Promise.reject(new NoPicture())))),
  });
  const { logo } = organization.urls;
  return (
    <div className={styles.logo}>
      {logo && <img src={logo} alt={t("organization.logo.now")} className={styles.picture} />}
      <Field
        key={logo ?? ""}
        name="logo"
        type="url"
        label={t("organization.logo")}
        hint={t("organization.logo.hint")}
        maxLength={2048}
        autoComplete="off"
      />
      <Button icon={<Upload />} busy={change.isPending} onClick={() => device.current?.click()}>
        {t("siteLook.picture.upload")}
      </Button>
      <input
        ref={device}
        type="file"
        hidden
        aria-label={t("organization.logo.upload")}
        accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = "";
          if (file) change.mutate(file);
        }}
      />
      {logo && (
        <Button kind="quiet" disabled={change.isPending} onClick={() => change.mutate(null)}>
          {t("organization.logo.remove")}
        </Button>
      )}
      {change.isError &&
        (change.error instanceof NoPicture ? (
          <Banner kind="danger">{t("organization.logo.wrong")}</Banner>
        ) : (
          <Failed failure={change.error} />
        ))}
    </div>
  );
}
