// The screens that stand where another one should: nothing at this address, or nothing that can be shown.
import { Link, type ErrorComponentProps } from "@tanstack/react-router";
import { useQueryClient } from "@tanstack/react-query";
import { CircleAlert, FileQuestion, Lock } from "lucide-react";
import { Failure } from "../api/client";
import { Button, buttonClass } from "../look/Button";
import { EmptyState } from "../look/EmptyState";
import { failureText } from "../look/Failed";
import { t } from "../words/words";
import { retry } from "./connection";
import { Title } from "./Title";

const toHome = () => (
  <Link to="/" className={buttonClass("plain")}>
    {t("nothing.home")}
  </Link>
);

// NotFound says that there is nothing at the address.
export function NotFound() {
  return (
    <main id="main" tabIndex={-1}>
      <Title text={t("nothing.title")} />
      <EmptyState icon={<FileQuestion />} title={t("nothing.title")} level={1} action={toHome()}>
        {t("nothing.text")}
      </EmptyState>
    </main>
  );
}

// Refused stands for what a screen is about when it cannot be had: it is not there, is not for the person, or the
// server failed. what is the landmark that it stands in; a screen within a frame gives "div".
export function Refused({
  failure,
  onRetry,
  what: Landmark = "main",
}: {
  failure: unknown;
  onRetry: () => void;
  what?: "main" | "div";
}) {
  const status = failure instanceof Failure ? failure.status : -1;
  const title = status === 404 ? t("nothing.title") : status === 403 ? t("nothing.forbidden") : t("nothing.failed");
  const icon = status === 404 ? <FileQuestion /> : status === 403 ? <Lock /> : <CircleAlert />;
  const hopeless = status === 404 || status === 403;
  return (
    <Landmark {...(Landmark === "main" ? { id: "main", tabIndex: -1 } : {})}>
      <Title text={title} />
      <EmptyState
        icon={icon}
        title={title}
        level={1}
        action={hopeless ? toHome() : <Button onClick={onRetry}>{t("failure.retry")}</Button>}
      >
        {status === 403 ? t("nothing.ask", { reason: failureText(failure) }) : failureText(failure)}
      </EmptyState>
    </Landmark>
  );
}

// Broken stands for a screen that failed while it was drawn, or whose files could not be had: a new version of the
// program has others.
export function Broken({ error, reset }: ErrorComponentProps) {
  const queries = useQueryClient();
  if (error instanceof Failure) {
    const again = () => {
      retry(queries);
      reset();
    };
    return <Refused failure={error} onRetry={again} />;
  }
  return (
    <main id="main" tabIndex={-1}>
      <Title text={t("nothing.failed")} />
      <EmptyState
        icon={<CircleAlert />}
        title={t("nothing.failed")}
        level={1}
        action={<Button onClick={() => location.reload()}>{t("nothing.reload")}</Button>}
      >
        {t("nothing.broken")}
      </EmptyState>
    </main>
  );
}
