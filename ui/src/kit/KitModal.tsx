// A modal of an integration. Closing it by hand gives back what its script says that then is given back.
import { Dialog } from "../look/Dialog";
import { t } from "../words/words";
import { KitAround, type Specs } from "./context";
import { Elements } from "./Elements";
import type { Data } from "./elements";
import { Body } from "./Kit";
import type { KitSession } from "./session";

export function KitModal({
  session,
  specs,
  onClose,
}: {
  session: KitSession;
  specs: Specs;
  onClose: (returnValue: Data | null) => void;
}) {
  return (
    <KitAround session={session} specs={specs}>
      {(now) => {
        const element = now.drawn?.kind === "element" ? now.drawn.element : null;
        const wide = element?.size === "xlarge" || element?.size === "fullscreen";
        return (
          <Dialog
            open
            onOpenChange={(open) => !open && onClose(element?.returnValue ?? null)}
            shape={wide ? "large" : "centre"}
            title={element?.title || t("kit.modal")}
            description={element && element.hint.length > 0 ? <Elements list={element.hint} /> : undefined}
            actions={element && element.buttons.length > 0 ? <Elements list={element.buttons} /> : undefined}
          >
            <Body now={now} onRetry={session.retry} />
            {now.modal && <KitModal session={now.modal} specs={specs} onClose={session.close} />}
          </Dialog>
        );
      }}
    </KitAround>
  );
}
