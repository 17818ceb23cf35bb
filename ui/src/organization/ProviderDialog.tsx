import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { organizations } from "../api/queries";
import { Button } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { t } from "../words/words";
import styles from "./Settings.module.css";
import { deleteProvider, type OIDC, type SAML, saveOIDC, saveSAML } from "./queries";

type Props = ({ kind: "saml"; provider?: SAML } | { kind: "oidc"; provider?: OIDC }) & {
  organization: string;
  onClose: () => void;
};

// ProviderDialog makes an identity provider, or changes one. What the provider has to know of this server is shown once
// it is there.
export function ProviderDialog({ organization, onClose, ...asked }: Props) {
  const form = useId();
  const queries = useQueryClient();
  const [sure, setSure] = useState(false);
  const [made, setMade] = useState<SAML | OIDC>();
  const provider = made ?? asked.provider;
  const fresh = () => queries.invalidateQueries({ queryKey: organizations.providers(organization) });
  const save = useMutation({
    mutationFn: async (filled: FormData): Promise<SAML | OIDC> => {
      const text = (name: string) => String(filled.get(name) ?? "").trim();
      const label = text("label");
      if (asked.kind === "saml")
        return saveSAML(organization, provider?.id, {
          label,
          ssoURL: text("ssoURL"),
          entityID: text("entityID"),
          certificate: text("certificate"),
        });
      return saveOIDC(organization, provider?.id, {
        label,
        issuer: text("issuer"),
        clientID: text("clientID"),
        clientSecret: text("clientSecret"),
      });
    },
    onSuccess: async (saved) => {
      await fresh();
      if (provider) onClose();
      else setMade(saved);
    },
  });
  const drop = useMutation({
    mutationFn: (each: SAML | OIDC) => deleteProvider(organization, each),
    onSuccess: async () => {
      await fresh();
      onClose();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate(new FormData(event.currentTarget));
  };
  const saml = provider?.object === "saml-provider" ? provider : undefined;
  const oidc = provider?.object === "oidc-provider" ? provider : undefined;
  const facts = saml
    ? [
        [t("sso.acs"), saml.service.acsURL],
        [t("sso.entity.service"), saml.service.entityID],
        [t("sso.start"), saml.service.startURL],
      ]
    : oidc
      ? [
          [t("sso.redirect"), oidc.service.redirectURL],
          [t("sso.start"), oidc.service.startURL],
        ]
      : [];
  const actions = (
    <>
      {provider && (
        <Button kind="danger" busy={drop.isPending} onClick={() => (sure ? drop.mutate(provider) : setSure(true))}>
          {t(sure ? "team.delete.sure" : "sso.delete")}
        </Button>
      )}
      <span className={styles.grow} />
      <Button onClick={onClose}>{t("look.cancel")}</Button>
      <Button kind="primary" type="submit" form={form} busy={save.isPending}>
        {t(provider ? "place.save" : "sso.next")}
      </Button>
    </>
  );
  const common = { spellCheck: false, autoComplete: "off" } as const;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={asked.kind === "saml" ? "SAML 2.0" : "OpenID Connect"}
      description={t(made ? "sso.made" : "sso.text")}
      actions={actions}
    >
      <form id={form} className={styles.form} onSubmit={submit}>
        {facts.length > 0 && (
          <div className={styles.record}>
            <p>{t("sso.facts")}</p>
            <dl>
              {facts.map(([name, value]) => [<dt key={`${name} name`}>{name}</dt>, <dd key={name}>{value}</dd>])}
            </dl>
          </div>
        )}
        <Field
          name="label"
          label={t("sso.label")}
          hint={t("sso.label.hint")}
          required
          maxLength={30}
          autoComplete="off"
          defaultValue={provider?.label ?? ""}
        />
        {asked.kind === "saml" ? (
          <>
            <Field
              {...common}
              name="ssoURL"
              type="url"
              label={t("sso.url")}
              maxLength={2048}
              defaultValue={saml?.ssoURL ?? ""}
            />
            <Field
              {...common}
              name="entityID"
              label={t("sso.entity")}
              maxLength={1024}
              defaultValue={saml?.entityID ?? ""}
            />
            <Field
              {...common}
              name="certificate"
              label={t("sso.certificate")}
              hint={t("sso.certificate.hint")}
              defaultValue={saml?.certificate ?? ""}
              control={<textarea rows={4} className={styles.mono} />}
            />
          </>
        ) : (
          <>
            <Field
              {...common}
              name="issuer"
              type="url"
              label={t("sso.issuer")}
              maxLength={2048}
              defaultValue={oidc?.issuer ?? ""}
            />
            <Field
              {...common}
              name="clientID"
              label={t("sso.client")}
              maxLength={1024}
              defaultValue={oidc?.clientID ?? ""}
            />
            <Field
              {...common}
              name="clientSecret"
              type="password"
              autoComplete="new-password"
              label={t("sso.secret")}
              hint={oidc?.hasClientSecret ? t("sso.secret.kept") : t("sso.secret.hint")}
              maxLength={1024}
            />
          </>
        )}
        {(save.isError || drop.isError) && <Failed failure={save.error ?? drop.error} />}
      </form>
    </Dialog>
  );
}
