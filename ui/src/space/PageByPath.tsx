import { useQuery } from "@tanstack/react-query";
import { Navigate, useParams } from "@tanstack/react-router";
import { api, taken } from "../api/client";
import { spaces } from "../api/queries";
import { Skeleton } from "../look/Skeleton";
import { Refused } from "../shell/Nothing";
import styles from "./Reading.module.css";

// PageByPath is an address of a space with the path of a page behind it, as programs make one of `urls.app` and `path`:
// it opens the page.
export function PageByPath() {
  const { space = "", _splat: path = "" }: { space?: string; _splat?: string } = useParams({ strict: false });
  const asked = useQuery({
    queryKey: [...spaces.one(space), "path", path],
    queryFn: () =>
      taken(
        api.GET("/v1/spaces/{spaceId}/content/path/{pagePath}", {
          params: { path: { spaceId: space, pagePath: path }, query: { metadata: false } },
        }),
      ),
    retry: false,
  });
  if (asked.data?.id)
    return <Navigate to="/spaces/$space/pages/$page" params={{ space, page: asked.data.id }} replace />;
  if (asked.isError) return <Refused failure={asked.error} onRetry={() => void asked.refetch()} what="div" />;
  return <div className={styles.column}><Skeleton lines={6} /></div>;
}
