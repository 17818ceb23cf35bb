// Says that main has moved so that a change request has conflicts now, wherever one is in it, and leads to them.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Banner } from "../look/Banner";
import { t } from "../words/words";
import styles from "./ChangeFrame.module.css";
import { conflictsOf } from "./conflicts/queries";

export function ConflictNotice({ space, number, live }: { space: string; number: number; live: boolean }) {
  // Main moves while one reads and writes here.
  const count =
    useQuery({ ...conflictsOf(space, number), enabled: live, refetchInterval: 30_000, refetchOnWindowFocus: "always" })
      .data?.length ?? 0;
  if (!live || count === 0) return null;
  return (
    <Banner
      kind="warning"
      className={styles.notice}
      actions={
        <Link
          to="/spaces/$space/changes/$number/conflicts"
          params={{ space, number: String(number) }}
          className={styles.see}
        >
          {t("change.notice.see")}
        </Link>
      }
    >
      {t("change.notice", { count })}
    </Banner>
  );
}
