// What is known of how readers fare: what they answered, and the links that lead them nowhere. The server counts
// nothing else.
import { t } from "../../words/words";
import sites from "../Sites.module.css";
import { BrokenLinks } from "./BrokenLinks";
import { Feedback } from "./Feedback";

export function Insights() {
  return (
    <div className={sites.body}>
      <p className={sites.note}>{t("siteInsights.counts")}</p>
      <Feedback />
      <BrokenLinks />
    </div>
  );
}
