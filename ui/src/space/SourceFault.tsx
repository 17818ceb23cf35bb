import { useQuery } from "@tanstack/react-query";
import { Banner } from "../look/Banner";
import { t } from "../words/words";
import { pages, space as spaceQuery } from "./queries";
import styles from "./Reading.module.css";
import { contentSources, faultOf, made, stored } from "./sources";

type Props = { space: string; change: number | undefined; page: string };

// SourceFault tells those who write in a space why a page that an integration makes could not be made anew.
export function SourceFault({ space, change, page }: Props) {
  const roots = useQuery(pages(space, change)).data ?? [];
  const may = useQuery(spaceQuery(space)).data?.permissions.edit ?? false;
  const enabled = may && made(roots, [], page).length > 0;
  const kept = useQuery({ ...stored(space, change), enabled }).data;
  const sources = useQuery({ ...contentSources(space), enabled }).data;
  const fault = enabled && kept && sources ? faultOf(made(roots, kept, page), sources) : undefined;
  if (!fault) return null;
  const { title, problem } = fault;
  return (
    <Banner kind="warning" className={styles.fault}>
      {t(fault.kept ? "source.fault.kept" : "source.fault", { title })} <span dir="auto">{problem}</span>
    </Banner>
  );
}
