// Who may read a site, how it knows its visitors, and what it may know of them.
import { Eye } from "lucide-react";
import { api, taken } from "../../api/client";
import { buttonClass } from "../../look/Button";
import { Toggle } from "../../options/Toggle";
import { t } from "../../words/words";
import { ticketed } from "../Preview";
import { at, root } from "../queries";
import { useShown } from "../shown";
import sites from "../Sites.module.css";
import { Audience } from "./Audience";
import { Claims } from "./Claims";
import { VisitorSignIn } from "./VisitorSignIn";

export function Readers() {
  const { organization, site, change } = useShown();
  const path = at(organization, site.id);
  const { admin, viewAdaptiveSchema } = site.permissions;
  const asVisitor = ticketed(site);
  const adapts = site.adaptiveContent.enabled;
  return (
    <div className={sites.body}>
      <Audience
        organization={organization}
        site={site}
        change={change}
        onVisibility={(visibility) =>
          change.mutate(() => taken(api.PATCH(root, { params: { path }, body: { visibility } })))
        }
      />
      {admin && <VisitorSignIn />}
      <section className={sites.part} aria-labelledby="site-adaptive">
        <h2 id="site-adaptive" className={sites.heading}>
          {t("siteReaders.adaptive")}
        </h2>
        <p className={sites.note}>{t("siteReaders.adaptive.text")}</p>
        {admin ? (
          <Toggle
            label={t("siteReaders.adaptive.on")}
            checked={adapts}
            onChange={(enabled) =>
              change.mutate(() => taken(api.PATCH(root, { params: { path }, body: { adaptiveContent: { enabled } } })))
            }
          />
        ) : (
          <p>{t(adapts ? "siteReaders.adaptive.isOn" : "siteReaders.adaptive.isOff")}</p>
        )}
        {viewAdaptiveSchema && <Claims />}
        {asVisitor && (
          <p>
            <a href={asVisitor} target="_blank" rel="noreferrer" className={buttonClass("plain")}>
              <Eye aria-hidden size={16} />
              {t("siteReaders.asVisitor")}
            </a>
          </p>
        )}
      </section>
    </div>
  );
}
