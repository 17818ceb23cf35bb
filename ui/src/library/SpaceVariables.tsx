// The variables of a space, which every page of it can show and ask for.
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { Variables } from "../options/Variables";
import { Title } from "../shell/Title";
import { useEditing } from "../space/editing";
import { space as spaceQuery } from "../space/queries";
import { t } from "../words/words";
import styles from "./Library.module.css";
import { content, replaced } from "./queries";

export function SpaceVariables() {
  const { space = "", number }: { space?: string; number?: string } = useParams({ strict: false });
  const change = number === undefined ? undefined : Number(number);
  const navigate = useNavigate();
  const about = useQuery(spaceQuery(space)).data;
  const asked = useQuery(content(space, change));
  const editing = useEditing(space, change, (draft) => {
    if (change === undefined)
      void navigate({ to: "/spaces/$space/changes/$number/variables", params: { space, number: String(draft) } });
  });
  const variables = asked.data?.variables ?? {};
  return (
    <div className={styles.screen}>
      <Title text={t("variables.title")} />
      <h1 className={styles.title}>{t("variables.title")}</h1>
      <p className={styles.about}>{t("variables.about")}</p>
      {asked.isError && !asked.data && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.isPending && <Skeleton shape="rows" lines={4} />}
      {asked.data && (
        <fieldset className={styles.fields} disabled={!about?.permissions.edit}>
          <legend className="visually-hidden">{t("variables.title")}</legend>
          <Variables
            level={2}
            variables={variables}
            onChange={(all) =>
              editing.mutateAsync([{ operation: "update_variables", variables: replaced(variables, all) }])
            }
          />
        </fieldset>
      )}
    </div>
  );
}
