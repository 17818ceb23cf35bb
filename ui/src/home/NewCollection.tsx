import { FolderPlus } from "lucide-react";
import { Suspense, useState } from "react";
import { Button } from "../look/Button";
import { later } from "../words/later";
import { t } from "../words/words";

const NewCollectionDialog = later(() =>
  import("../places/NewCollectionDialog").then(({ NewCollectionDialog }) => NewCollectionDialog),
);

// NewCollection is the button that leads to a new collection.
export function NewCollection({ organization, parent }: { organization: string; parent?: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button kind="quiet" icon={<FolderPlus />} onClick={() => setOpen(true)}>
        {t("home.newCollection")}
      </Button>
      {open && (
        <Suspense fallback={null}>
          <NewCollectionDialog
            organization={organization}
            {...(parent ? { parent } : {})}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
