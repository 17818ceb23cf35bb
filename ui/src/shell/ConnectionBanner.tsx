// The line on top of every screen that says that the server is away or that the session has ended.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { me } from "../change-request/draft";
import { Banner } from "../look/Banner";
import { Button, buttonClass } from "../look/Button";
import { t } from "../words/words";
import { retry, useConnection } from "./connection";
import styles from "./ConnectionBanner.module.css";
import { SignInLink } from "./SignInLink";

export function ConnectionBanner() {
  const queries = useQueryClient();
  const state = useConnection();
  // Asking who is here shows by itself when the server is back, or somebody has signed in in another tab.
  useQuery({
    ...me,
    enabled: state !== "here",
    refetchInterval: state === "here" ? false : 5_000,
    refetchOnWindowFocus: "always",
    staleTime: 0,
  });
  if (state === "here") return null;
  if (state === "away") {
    return (
      <Banner
        kind="warning"
        className={styles.bar!}
        actions={<Button onClick={() => retry(queries)}>{t("failure.retry")}</Button>}
      >
        {t("failure.network")}
      </Banner>
    );
  }
  return (
    <Banner kind="warning" className={styles.bar!} actions={<SignInLink className={buttonClass("plain")} />}>
      {t("shell.expired")}
    </Banner>
  );
}
