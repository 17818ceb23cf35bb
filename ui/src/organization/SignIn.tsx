import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useId, useState } from "react";
import { organizations } from "../api/queries";
import { Banner } from "../look/Banner";
import { Button } from "../look/Button";
import { Failed } from "../look/Failed";
import { Menu, MenuItem } from "../look/Menu";
import { Skeleton } from "../look/Skeleton";
import { Switch } from "../look/Switch";
import type { Organization } from "../shell/organization";
import { t } from "../words/words";
import { Domains } from "./Domains";
import { ProviderDialog } from "./ProviderDialog";
import styles from "./Settings.module.css";
import { newEmergencyCode, type OIDC, oidcOf, type SAML, samlOf, update } from "./queries";

// SignIn is how people come in: e-mail domains, identity providers, and whether they have to use one.
export function SignIn({ organization }: { organization: Organization }) {
  const id = organization.id;
  const enforced = useId();
  const queries = useQueryClient();
  const saml = useQuery(samlOf(id));
  const oidc = useQuery(oidcOf(id));
  const [shown, show] = useState<{ kind: "saml"; provider?: SAML } | { kind: "oidc"; provider?: OIDC }>();
  const enforce = useMutation({
    mutationFn: (sso: boolean) => update(id, { sso }),
    onSuccess: () => queries.invalidateQueries({ queryKey: organizations.all }),
  });
  const code = useMutation({ mutationFn: () => newEmergencyCode(id) });
  const providers = [...(saml.data ?? []), ...(oidc.data ?? [])];
  const failure = saml.error ?? oidc.error;
  return (
    <div className={styles.parts}>
      <Domains organization={organization} />
      <section aria-labelledby="settings-providers">
        <div className={styles.line}>
          <h2 id="settings-providers" className={styles.heading}>
            {t("sso.providers")}
          </h2>
          <Menu trigger={<Button icon={<Plus />}>{t("sso.add")}</Button>}>
            <MenuItem onClick={() => show({ kind: "saml" })}>SAML 2.0</MenuItem>
            <MenuItem onClick={() => show({ kind: "oidc" })}>OpenID Connect</MenuItem>
          </Menu>
        </div>
        {failure && <Failed failure={failure} onRetry={() => void Promise.all([saml.refetch(), oidc.refetch()])} />}
        {(saml.isPending || oidc.isPending) && <Skeleton shape="rows" lines={2} />}
        {saml.data && oidc.data && providers.length === 0 && <p className={styles.about}>{t("sso.none")}</p>}
        <ul className={styles.rows}>
          {providers.map((provider) => (
            <li key={provider.id} className={styles.row}>
              <div className={styles.words}>
                <span className={styles.label}>{provider.label}</span>
                <span className={styles.about}>
                  {provider.object === "saml-provider" ? "SAML 2.0" : "OpenID Connect"} ·{" "}
                  {t(`sso.status.${provider.status}`)}
                </span>
              </div>
              <Button
                kind="quiet"
                aria-label={`${t("team.edit")}: ${provider.label}`}
                onClick={() =>
                  show(provider.object === "saml-provider" ? { kind: "saml", provider } : { kind: "oidc", provider })
                }
              >
                {t("team.edit")}
              </Button>
            </li>
          ))}
        </ul>
      </section>
      <section className={styles.parts} aria-labelledby={enforced}>
        <div className={styles.line}>
          <div className={styles.words}>
            <span id={enforced} className={styles.label}>
              {t("sso.enforce")}
            </span>
            <span className={styles.about}>{t("sso.enforce.text")}</span>
          </div>
          <Switch checked={organization.sso} labelledBy={enforced} onChange={(on) => enforce.mutate(on)} />
        </div>
        {enforce.isError && <Failed failure={enforce.error} />}
        <div className={styles.line}>
          <div className={styles.words}>
            <span className={styles.label}>{t("sso.code")}</span>
            <span className={styles.about}>{t("sso.code.text")}</span>
          </div>
          <Button busy={code.isPending} onClick={() => code.mutate()}>
            {t("sso.code.make")}
          </Button>
        </div>
        {code.isError && <Failed failure={code.error} />}
        {code.data && (
          <Banner kind="success">
            {t("sso.code.made")} <code className={styles.code}>{code.data.code}</code>
          </Banner>
        )}
      </section>
      {shown && <ProviderDialog organization={id} {...shown} onClose={() => show(undefined)} />}
    </div>
  );
}
