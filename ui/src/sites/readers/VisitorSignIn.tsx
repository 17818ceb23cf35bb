// How a site knows visitors who sign in elsewhere: an integration that signs them in, or a program of the
// organization's own, with the key that their tokens are signed with, and where they are sent.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schemas, taken } from "../../api/client";
import { Banner } from "../../look/Banner";
import { AskDialog } from "../../look/AskDialog";
import { Button } from "../../look/Button";
import { CopyButton } from "../../look/CopyButton";
import { Failed } from "../../look/Failed";
import { Skeleton } from "../../look/Skeleton";
import { SavedField } from "../../options/SavedField";
import { t } from "../../words/words";
import { at, authOf, root } from "../queries";
import { useShown } from "../shown";
import sites from "../Sites.module.css";
import styles from "./Readers.module.css";
import { SignInBackend } from "./SignInBackend";

export function VisitorSignIn() {
  const { organization, site } = useShown();
  const queries = useQueryClient();
  const asked = useQuery(authOf(organization, site.id));
  const [seen, see] = useState(false);
  const [asking, ask] = useState(false);
  const path = at(organization, site.id);
  const { queryKey } = authOf(organization, site.id);
  const change = {
    mutationFn: (body: Schemas["UpdatePublishingAuthInputBody"]) =>
      taken(api.PATCH(`${root}/publishing/auth`, { params: { path }, body })),
    onSuccess: (now: Schemas["PublishingAuth"]) => queries.setQueryData(queryKey, now),
  };
  const choose = useMutation(change);
  const save = useMutation(change);
  const renew = useMutation({
    mutationFn: () => taken(api.POST(`${root}/publishing/auth/regenerate`, { params: { path } })),
    onSuccess: (now) => queries.setQueryData(queryKey, now),
  });
  const auth = asked.data;
  return (
    <section className={sites.part} aria-labelledby="site-sign-in">
      <h2 id="site-sign-in" className={sites.heading}>
        {t("siteReaders.signIn")}
      </h2>
      <p className={sites.note}>
        {t(site.visibility === "visitor-auth" ? "siteReaders.signIn.needed" : "siteReaders.signIn.text")}
      </p>
      {asked.isError && !auth && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.isPending && <Skeleton lines={3} />}
      {auth && (
        <>
          <SignInBackend
            auth={auth}
            busy={choose.isPending}
            onChoose={(backend, integration) => choose.mutate({ backend, ...(integration ? { integration } : {}) })}
          />
          {choose.isError && <Failed failure={choose.error} />}
        </>
      )}
      {auth?.backend === "custom" && (
        <>
          {site.visibility === "visitor-auth" && !auth.fallbackURL && (
            <Banner kind="warning">{t("siteReaders.noFallback")}</Banner>
          )}
          <SavedField
            type="url"
            label={t("siteReaders.fallback")}
            hint={t("siteReaders.fallback.hint")}
            placeholder="https://example.com/docs-login"
            value={auth.fallbackURL ?? ""}
            maxLength={2048}
            spellCheck={false}
            autoComplete="off"
            onSave={(text) => save.mutateAsync({ backend: "custom", fallbackURL: text.trim() || null })}
          />
          <SavedField
            type="url"
            label={t("siteReaders.logout")}
            hint={t("siteReaders.logout.hint")}
            placeholder="https://example.com/signed-out"
            value={auth.logoutURL ?? ""}
            maxLength={2048}
            spellCheck={false}
            autoComplete="off"
            onSave={(text) => save.mutateAsync({ backend: "custom", logoutURL: text.trim() || null })}
          />
          <div className={styles.key}>
            <span className={sites.label}>{t("siteReaders.key")}</span>
            <code className={styles.secret}>{seen ? auth.privateKey : "•".repeat(24)}</code>
            <span className={sites.line}>
              <Button kind="quiet" aria-pressed={seen} onClick={() => see(!seen)}>
                {t(seen ? "siteReaders.key.hide" : "siteReaders.key.show")}
              </Button>
              <CopyButton kind="quiet" text={auth.privateKey} label={t("siteReaders.key.copy")} />
              <Button kind="quiet" busy={renew.isPending} onClick={() => ask(true)}>
                {t("siteReaders.key.renew")}
              </Button>
            </span>
            <span className={sites.note}>{t("siteReaders.key.hint")}</span>
            <span role="status" className={sites.note}>
              {renew.isSuccess && t("siteReaders.key.renewed")}
            </span>
          </div>
          {renew.isError && <Failed failure={renew.error} />}
          <details className={styles.how}>
            <summary>{t("siteReaders.how")}</summary>
            <p>{t("siteReaders.how.text")}</p>
            <pre tabIndex={0} aria-label={t("siteReaders.how")}>
              {`const token = jwt.sign({ plan: "pro" }, key, { algorithm: "HS256", expiresIn: "1h" });\nresponse.redirect(site + location.slice(1) + (location.includes("?") ? "&" : "?") + "jwt_token=" + token);`}
            </pre>
            {site.urls.login && (
              <p>
                {t("siteReaders.login")} <code>{site.urls.login}</code>
              </p>
            )}
            {site.urls.logout && (
              <p>
                {t("siteReaders.logoutAt")} <code>{site.urls.logout}</code>
              </p>
            )}
          </details>
        </>
      )}
      {asking && (
        <AskDialog
          title={t("siteReaders.key.renew.title")}
          text={t("siteReaders.key.renew.text")}
          action={t("siteReaders.key.renew")}
          onClose={() => ask(false)}
          onYes={() => {
            ask(false);
            renew.mutate();
          }}
        />
      )}
    </section>
  );
}
