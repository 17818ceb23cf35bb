// What an integration is told in one place: as it describes that itself, or in a component that it draws.
import { type ComponentProps, lazy, Suspense } from "react";
import { Banner } from "../look/Banner";
import { Skeleton } from "../look/Skeleton";
import { t } from "../words/words";
import { ConfigForm } from "./ConfigForm";
import { missing } from "./configuration";
import type { Status } from "./queries";

const ComponentSettings = lazy(() =>
  import("./ComponentSettings").then(({ ComponentSettings }) => ({ default: ComponentSettings })),
);

type Props = ComponentProps<typeof ConfigForm> & {
  integration: string;
  status: Status;
  // context says for what a component is drawn, props what it begins with.
  context: Record<string, unknown>;
  props: Record<string, unknown>;
};

export function Settings({ integration, status, context, props, ...form }: Props) {
  const { described, configuration, onRefresh } = form;
  const open = missing(described, configuration).map(({ label }) => label);
  return (
    <>
      {status === "pending" && (
        <Banner kind="warning">
          {open.length > 0 ? t("integrations.pending.names", { names: open.join(", ") }) : t("integrations.pending")}
        </Banner>
      )}
      {described?.componentId ? (
        <Suspense fallback={<Skeleton lines={3} />}>
          <ComponentSettings
            integration={integration}
            component={described.componentId}
            context={context}
            props={props}
            onDone={onRefresh}
            onRefresh={onRefresh}
          />
        </Suspense>
      ) : (
        <ConfigForm {...form} />
      )}
    </>
  );
}
