// A component of an integration on the screen: what its script has drawn, what is wrong with it, and the modal on top.
import type { ReactNode } from "react";
import { Failure } from "../api/client";
import { Banner } from "../look/Banner";
import { Button } from "../look/Button";
import { failureText } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { t } from "../words/words";
import { KitAround, type Specs } from "./context";
import { Root } from "./Elements";
import type { Element } from "./elements";
import styles from "./Kit.module.css";
import { KitModal } from "./KitModal";
import { AnswerFault } from "./parse";
import type { KitSession, Snapshot } from "./session";

type Props = {
  session: KitSession;
  specs: Specs;
  // tools stand above the component, with the controls of its block.
  tools?: ((controls: Element[]) => ReactNode) | undefined;
  // nothing stands where there is nothing to show.
  nothing?: ReactNode;
};

export function Kit({ session, specs, tools, nothing = null }: Props) {
  return (
    <KitAround session={session} specs={specs}>
      {(now) => (
        <>
          {tools?.(now.drawn?.kind === "element" ? now.drawn.element.controls : [])}
          <Body now={now} onRetry={session.retry} nothing={nothing} />
          {now.modal && <KitModal session={now.modal} specs={specs} onClose={session.close} />}
        </>
      )}
    </KitAround>
  );
}

// Body is what a component shows, be it a block or what is in a modal.
export function Body({
  now: { drawn, failure, busy, times },
  onRetry,
  nothing = null,
}: {
  now: Snapshot;
  onRetry: () => void;
  nothing?: ReactNode;
}) {
  return (
    <div className={styles.kit} aria-busy={busy || undefined}>
      {!drawn && failure === null && <Skeleton lines={2} />}
      {drawn?.kind === "element" ? <Root element={drawn.element} /> : drawn && failure === null && nothing}
      {failure !== null && (
        <Banner kind="danger" actions={<Button onClick={onRetry}>{t("failure.retry")}</Button>}>
          {faultText(failure)}
        </Banner>
      )}
      <p role="status" className="visually-hidden">
        {times > 1 && !busy ? t("kit.updated", { times }) : ""}
      </p>
    </div>
  );
}

// faultText says why nothing is shown.
const faultText = (failure: unknown) =>
  failure instanceof AnswerFault
    ? t("kit.noBlock")
    : failure instanceof Failure
      ? failureText(failure)
      : t("kit.failed");
