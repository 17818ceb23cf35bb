// What readers answered to the question whether a page helped: by page, and what they wrote.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { MessageSquareQuote, ThumbsDown, ThumbsUp } from "lucide-react";
import { useState } from "react";
import { Button, buttonClass } from "../../look/Button";
import { EmptyState } from "../../look/EmptyState";
import { Failed } from "../../look/Failed";
import { MoreButton } from "../../look/MoreButton";
import { Skeleton } from "../../look/Skeleton";
import { Toggle } from "../../options/Toggle";
import { Time } from "../../words/Time";
import { t } from "../../words/words";
import { customizationOf, feedbackByPage, feedbackOf } from "../queries";
import { useShown } from "../shown";
import sites from "../Sites.module.css";
import styles from "./Feedback.module.css";

const percent = (share: number) =>
  new Intl.NumberFormat(document.documentElement.lang, { style: "percent" }).format(share);

export function Feedback() {
  const { organization, site } = useShown();
  const [page, setPage] = useState<{ id: string; title: string } | null>(null);
  const [commented, setCommented] = useState(false);
  const pages = useQuery(feedbackByPage(organization, site.id));
  const answers = useInfiniteQuery(feedbackOf(organization, site.id, { commented, page: page?.id ?? "" }));
  const asks = useQuery(customizationOf(organization, site.id)).data?.feedback.enabled;
  if (pages.isError && !pages.data) return <Failed failure={pages.error} onRetry={() => void pages.refetch()} />;
  if (!pages.data) return <Skeleton shape="rows" lines={5} />;
  const sum = (kind: "helpful" | "notHelpful") => pages.data.reduce((all, each) => all + each[kind], 0);
  const [yes, no] = [sum("helpful"), sum("notHelpful")];
  const list = answers.data?.pages.flatMap(({ items }) => items ?? []) ?? [];
  const toLook = (
    <Link
      to="/orgs/$organization/sites/$site/look"
      params={{ organization, site: site.id }}
      search={{ part: "pages" }}
      className={buttonClass("plain")}
    >
      {t("siteFeedback.ask")}
    </Link>
  );
  if (pages.data.length === 0) {
    return (
      <EmptyState icon={<MessageSquareQuote />} title={t("siteFeedback.none")} action={asks === false && toLook}>
        {t(asks === false ? "siteFeedback.off" : "siteFeedback.waits")}
      </EmptyState>
    );
  }
  return (
    <div className={styles.feedback}>
      {asks === false && (
        <p className={sites.line}>
          <span className={sites.note}>{t("siteFeedback.off")}</span> {toLook}
        </p>
      )}
      <p className={styles.sum}>{t("siteFeedback.sum", { yes, all: yes + no, share: percent(yes / (yes + no)) })}</p>
      <div className={styles.scroll} tabIndex={0} role="region" aria-label={t("siteFeedback.byPage")}>
        <table className={styles.table}>
          <caption className={sites.heading}>{t("siteFeedback.byPage")}</caption>
          <thead>
            <tr>
              <th scope="col">{t("siteFeedback.page")}</th>
              <th scope="col">{t("siteFeedback.share")}</th>
              <th scope="col">{t("siteFeedback.yes")}</th>
              <th scope="col">{t("siteFeedback.no")}</th>
              <th scope="col">{t("siteFeedback.last")}</th>
            </tr>
          </thead>
          <tbody>
            {pages.data.map((each) => {
              const share = each.helpful / (each.helpful + each.notHelpful);
              return (
                <tr key={each.page.id}>
                  <th scope="row">
                    <button
                      type="button"
                      className={styles.page}
                      aria-pressed={page?.id === each.page.id}
                      onClick={() => setPage(page?.id === each.page.id ? null : each.page)}
                    >
                      {each.page.title || t("siteFeedback.gone")}
                    </button>
                  </th>
                  <td>
                    <span className={styles.bar} aria-hidden>
                      <span style={{ inlineSize: `${share * 100}%` }} />
                    </span>
                    {percent(share)}
                  </td>
                  <td>{each.helpful}</td>
                  <td>{each.notHelpful}</td>
                  <td>
                    <Time at={each.updatedAt} />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <section aria-labelledby="feedback-answers" className={styles.answers}>
        <h2 id="feedback-answers" className={sites.heading}>
          {page ? t("siteFeedback.of", { title: page.title }) : t("siteFeedback.answers")}
        </h2>
        <div className={sites.line}>
          <Toggle label={t("siteFeedback.commented")} checked={commented} onChange={setCommented} />
          {page && (
            <Button kind="quiet" onClick={() => setPage(null)}>
              {t("siteFeedback.all")}
            </Button>
          )}
        </div>
        {answers.isError && <Failed failure={answers.error} onRetry={() => void answers.refetch()} />}
        {answers.isPending && <Skeleton shape="rows" lines={4} />}
        {answers.data && list.length === 0 && <p className={sites.note}>{t("siteFeedback.noComments")}</p>}
        <ul className={list.length > 0 ? sites.rows : undefined}>
          {list.map((each) => (
            <li key={each.id} className={styles.answer} data-helpful={each.helpful}>
              {each.helpful ? (
                <ThumbsUp role="img" aria-label={t("siteFeedback.yes")} />
              ) : (
                <ThumbsDown role="img" aria-label={t("siteFeedback.no")} />
              )}
              <div>
                {each.comment && <p className={styles.comment}>{each.comment}</p>}
                <p className={sites.note}>
                  <Link to="/spaces/$space/pages/$page" params={{ space: each.space, page: each.page.id }}>
                    {each.page.title || t("siteFeedback.gone")}
                  </Link>{" "}
                  · <Time at={each.createdAt} />
                </p>
              </div>
            </li>
          ))}
        </ul>
        <MoreButton list={answers} />
      </section>
    </div>
  );
}
