// What stands in the place of something that could not be had: why, in the server's own words, and a way to try again.
import { Failure } from "../api/client";
import { t } from "../words/words";
import { Banner } from "./Banner";
import { Button } from "./Button";

// failureText says what went wrong: what the server said, or that it cannot be reached.
export function failureText(failure: unknown): string {
  if (failure instanceof Failure) {
    if (failure.status === 0) return t("failure.network");
    return failure.message || t("failure.unknown");
  }
  return t("failure.unknown");
}

export function Failed({ failure, onRetry }: { failure: unknown; onRetry?: () => void }) {
  return (
    <Banner kind="danger" actions={onRetry && <Button onClick={onRetry}>{t("failure.retry")}</Button>}>
      {failureText(failure)}
    </Banner>
  );
}
