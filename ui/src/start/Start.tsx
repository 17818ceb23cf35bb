// The first minutes: docs from elsewhere or a template become a space, which two questions publish.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { api, Failure, taken } from "../api/client";
import { organizations } from "../api/queries";
import { Beginnings } from "../home/Beginnings";
import { buttonClass } from "../look/Button";
import { Skeleton } from "../look/Skeleton";
import { Refused } from "../shell/Nothing";
import { myOrganizations } from "../shell/organization";
import { Title } from "../shell/Title";
import { ImportFlow } from "../transfer/ImportFlow";
import { t } from "../words/words";
import { FromTemplate } from "./FromTemplate";
import { Publish } from "./Publish";
import styles from "./Start.module.css";

export function Start() {
  const { organization: id } = useParams({ from: "/orgs/$organization/start" });
  const { with: way, space } = useSearch({ from: "/orgs/$organization/start" });
  const queries = useQueryClient();
  const asked = useQuery(myOrganizations);
  const make = useMutation({
    mutationFn: (title: string) =>
      taken(
        api.POST("/v1/orgs/{organizationId}/spaces", {
          params: { path: { organizationId: id }, query: {} as never },
          body: { title },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: organizations.spaces(id) }),
  });
  const organization = asked.data?.find((each) => each.id === id);
  if (asked.isError && !asked.data) return <Refused failure={asked.error} onRetry={() => void asked.refetch()} />;
  if (asked.data && !organization) return <Refused failure={new Failure(404, t("nothing.text"))} onRetry={() => {}} />;
  if (organization && !organization.permissions.createContent)
    return <Refused failure={new Failure(403, t("start.closed"))} onRetry={() => {}} />;
  const publishing = way === "publish" && space !== undefined;
  const title = publishing
    ? t("publish.title")
    : way === "template"
      ? t("home.begin.template")
      : way === "import"
        ? t("home.begin.import")
        : t("home.begin");
  return (
    <main id="main" tabIndex={-1} className={styles.screen}>
      <Title text={title} />
      <Link to="/orgs/$organization" params={{ organization: id }} className={styles.back}>
        <ArrowLeft aria-hidden />
        {t("home.title")}
      </Link>
      <h1 className={styles.title}>{title}</h1>
      {!organization && <Skeleton shape="card" lines={3} />}
      {organization && publishing && <Publish organization={organization} space={space} />}
      {organization && way === "template" && <FromTemplate organization={id} />}
      {organization && way === "import" && (
        <ImportFlow
          target={async (name) => ({ space: (await make.mutateAsync(name)).id, organization: id })}
          after={(target) => (
            <>
              <Link
                to="/orgs/$organization/start"
                params={{ organization: id }}
                search={{ with: "publish", space: target.space }}
                className={buttonClass("primary")}
              >
                {t("publish.go")}
              </Link>
              <Link to="/spaces/$space" params={{ space: target.space }} className={buttonClass("plain")}>
                {t("start.open")}
              </Link>
            </>
          )}
        />
      )}
      {organization && !publishing && way !== "template" && way !== "import" && <Beginnings organization={id} />}
    </main>
  );
}
