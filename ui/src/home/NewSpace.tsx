import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Button, type ButtonKind } from "../look/Button";
import { t } from "../words/words";
import type { Collection } from "./queries";

const NewSpaceDialog = lazy(() =>
  import("./NewSpaceDialog").then(({ NewSpaceDialog }) => ({ default: NewSpaceDialog })),
);

type Props = { organization: string; collections: Collection[]; parent?: string; label?: string; kind?: ButtonKind };

// NewSpace is the button that leads to a new space. Home does not wait for what it asks.
export function NewSpace({ organization, collections, parent, label = t("home.newSpace"), kind = "plain" }: Props) {
  const [open, setOpen] = useState(false);
  const [asked, ask] = useState(false);
  const begin = () => {
    ask(true);
    setOpen(true);
  };
  return (
    <>
      <Button kind={kind} icon={<Plus />} onClick={begin}>
        {label}
      </Button>
      {asked && (
        <Suspense fallback={null}>
          <NewSpaceDialog
            organization={organization}
            collections={collections}
            {...(parent ? { parent } : {})}
            open={open}
            onOpenChange={setOpen}
          />
        </Suspense>
      )}
    </>
  );
}
