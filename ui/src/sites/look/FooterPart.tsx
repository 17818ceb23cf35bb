import { Trash2 } from "lucide-react";
import { Button, IconButton } from "../../look/Button";
import { SavedField } from "../../options/SavedField";
import { t } from "../../words/words";
import type { Customization } from "../queries";
import { PictureField } from "./controls";
import { type Entry, LinkList } from "./LinkList";
import styles from "./Look.module.css";
import type { Look } from "./useLook";

type Social = NonNullable<Customization["socialAccounts"]>[number];
// Where accounts can be, by the names that they give themselves.
const platforms: Record<string, string> = {
  twitter: "X (Twitter)",
  instagram: "Instagram",
  facebook: "Facebook",
  linkedin: "LinkedIn",
  github: "GitHub",
  discord: "Discord",
  slack: "Slack",
  youtube: "YouTube",
  tiktok: "TikTok",
  reddit: "Reddit",
  bluesky: "Bluesky",
  mastodon: "Mastodon",
  threads: "Threads",
  medium: "Medium",
};

// FooterPart is what stands below the pages, and the accounts elsewhere.
export function FooterPart({ value, set, setNow, within }: Look) {
  const { footer } = value;
  const accounts = value.socialAccounts ?? [];
  const groups = footer.groups ?? [];
  const put = (index: number, account: Social) => set({ socialAccounts: accounts.with(index, account) });
  return (
    <>
      <PictureField
        label={t("siteLook.footer.logo")}
        value={footer.logo}
        onSave={(logo) => setNow({ footer: { logo } })}
      />
      <LinkList
        label={t("siteLook.footer.groups")}
        about={t("siteLook.footer.groups.text")}
        links={groups as unknown as Entry[]}
        shape="groups"
        onChange={(next) => setNow({ footer: { groups: next as unknown as typeof groups } })}
      />
      <SavedField
        label={t("siteLook.copyright")}
        placeholder={`© ${new Date().getFullYear()}`}
        value={footer.copyright ?? ""}
        maxLength={512}
        autoComplete="off"
        onSave={(text) => setNow({ footer: { copyright: text.trim() || null } })}
      />
      <SavedField
        type="url"
        label={t("siteLook.privacy")}
        hint={t("siteLook.privacy.hint")}
        placeholder="https://example.com/privacy"
        value={value.privacyPolicy.url ?? ""}
        maxLength={2048}
        autoComplete="off"
        onSave={(url) => setNow({ privacyPolicy: { url: url.trim() || null } })}
      />
      {!within && (
        <section className={styles.group} aria-label={t("siteLook.social")}>
          <h3 className={styles.label}>{t("siteLook.social")}</h3>
          <ul className={styles.accounts}>
            {accounts.map((account, index) => (
              <li key={`${index} ${account.platform}`} className={styles.account}>
                <SavedField
                  label={platforms[account.platform] ?? account.platform}
                  placeholder="acme"
                  value={account.handle}
                  maxLength={128}
                  required
                  autoComplete="off"
                  onSave={(handle) =>
                    setNow({ socialAccounts: accounts.with(index, { ...account, handle: handle.trim() }) })
                  }
                />
                <span className={styles.checks}>
                  {(["header", "footer"] as const).map((where) => (
                    <label key={where} className={styles.choice}>
                      <input
                        type="checkbox"
                        checked={account.display[where]}
                        onChange={(event) =>
                          put(index, { ...account, display: { ...account.display, [where]: event.target.checked } })
                        }
                      />
                      {t(`siteLook.social.${where}`)}
                    </label>
                  ))}
                  <IconButton
                    label={t("siteLook.social.remove", { name: platforms[account.platform] ?? account.platform })}
                    onClick={() => set({ socialAccounts: accounts.toSpliced(index, 1) })}
                  >
                    <Trash2 />
                  </IconButton>
                </span>
              </li>
            ))}
          </ul>
          {accounts.length < 10 && <NewAccount onAdd={(account) => set({ socialAccounts: [...accounts, account] })} />}
        </section>
      )}
    </>
  );
}

function NewAccount({ onAdd }: { onAdd: (account: Social) => void }) {
  return (
    <form
      className={styles.adding}
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const data = new FormData(form);
        onAdd({
          platform: String(data.get("platform")),
          handle: String(data.get("handle")).trim(),
          display: { footer: true, header: false },
        });
        form.reset();
      }}
    >
      <select name="platform" aria-label={t("siteLook.social.platform")} className={styles.select}>
        {Object.entries(platforms).map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <input
        name="handle"
        aria-label={t("siteLook.social.handle")}
        placeholder={t("siteLook.social.handle")}
        className={styles.select}
        required
        maxLength={128}
        pattern=".*\S.*"
        autoComplete="off"
      />
      <Button type="submit">{t("siteLook.social.add")}</Button>
    </form>
  );
}
