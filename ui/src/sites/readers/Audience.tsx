// Who may read a site; with share links, the links.
import { useQuery } from "@tanstack/react-query";
import { Copy, Trash2 } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { api, done, taken } from "../../api/client";
import { Button, IconButton } from "../../look/Button";
import { Field } from "../../look/Field";
import { copy as copyText } from "../../look/copy";
import { t } from "../../words/words";
import { at, root, shareLinksOf, type Site } from "../queries";
import styles from "../Sites.module.css";
import type { SiteChange } from "../useSite";

const visibilities = ["public", "unlisted", "share-link", "visitor-auth"] as const;

type Props = {
  organization: string;
  site: Site;
  change: SiteChange;
  onVisibility: (visibility: Site["visibility"]) => void;
};

export function Audience({ organization, site, change, onVisibility }: Props) {
  const name = useId();
  const { admin } = site.permissions;
  return (
    <fieldset className={styles.part} disabled={!admin}>
      <legend className={styles.heading}>{t("sites.audience")}</legend>
      {visibilities.map((each) => (
        <label key={each} className={styles.choice}>
          <input type="radio" name={name} checked={site.visibility === each} onChange={() => onVisibility(each)} />
          <span>
            <span className={styles.label}>{t(`sites.visibility.${each}`)}</span>
            <span className={styles.note}>{t(`sites.visibility.${each}.text`)}</span>
          </span>
        </label>
      ))}
      {admin && site.visibility === "share-link" && (
        <ShareLinks organization={organization} site={site} change={change} />
      )}
    </fieldset>
  );
}

function ShareLinks({ organization, site, change }: Omit<Props, "onVisibility">) {
  const links = useQuery(shareLinksOf(organization, site.id)).data ?? [];
  const [copied, setCopied] = useState("");
  const path = at(organization, site.id);
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const name = String(new FormData(form).get("name")).trim();
    if (name)
      change.mutate(() => taken(api.POST(`${root}/share-links`, { params: { path }, body: { name } })), {
        onSuccess: () => form.reset(),
      });
  };
  const copy = async (id: string, address: string) => {
    if (await copyText(address)) setCopied(id);
  };
  return (
    <section aria-label={t("sites.links")}>
      {links.length > 0 && (
        <ul className={styles.rows}>
          {links.map((link) => (
            <li key={link.id} className={styles.link}>
              <span>
                <span className={styles.label}>{link.name}</span>{" "}
                {!link.active && <span className={styles.note}>{t("sites.links.off")}</span>}
              </span>
              <span className={styles.line}>
                <Button
                  kind="quiet"
                  onClick={() =>
                    change.mutate(() =>
                      taken(
                        api.PATCH(`${root}/share-links/{shareLinkId}`, {
                          params: { path: { ...path, shareLinkId: link.id } },
                          body: { active: !link.active },
                        }),
                      ),
                    )
                  }
                >
                  {t(link.active ? "sites.links.stop" : "sites.links.start")}
                </Button>
                {link.urls.published && (
                  <Button
                    kind="quiet"
                    icon={<Copy aria-hidden size={16} />}
                    onClick={() => void copy(link.id, link.urls.published!)}
                  >
                    {t(copied === link.id ? "access.copied" : "publish.copy")}
                  </Button>
                )}
                <IconButton
                  label={t("sites.links.delete", { name: link.name })}
                  onClick={() =>
                    change.mutate(() =>
                      done(
                        api.DELETE(`${root}/share-links/{shareLinkId}`, {
                          params: { path: { ...path, shareLinkId: link.id } },
                        }),
                      ),
                    )
                  }
                >
                  <Trash2 />
                </IconButton>
              </span>
            </li>
          ))}
        </ul>
      )}
      <form className={styles.adding} onSubmit={add}>
        <Field
          name="name"
          label={t("sites.links.name")}
          hideLabel
          placeholder={t("sites.links.name")}
          required
          maxLength={50}
          autoComplete="off"
        />
        <Button type="submit">{t("sites.links.add")}</Button>
      </form>
    </section>
  );
}
