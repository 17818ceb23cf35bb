import { lazy, Suspense } from "react";
import { useEditing } from "./editing";
import type { Page } from "./queries";
import type { Source } from "./sources";

// What draws settings is asked for when somebody wants them.
const SourceDialog = lazy(() => import("./SourceDialog").then(({ SourceDialog }) => ({ default: SourceDialog })));

type Props = {
  space: string;
  change: number | undefined;
  // The page as it is kept.
  page: Page;
  source: Source;
  // Hears in which change request it was changed.
  onDone: (number: number) => void;
  onClose: () => void;
};

// ChangeSource asks what a page is made from that is there, and keeps it in the change request that is open, else in a
// draft.
export function ChangeSource({ space, change, page, source, onDone, onClose }: Props) {
  const editing = useEditing(space, change, onDone);
  return (
    <Suspense>
      <SourceDialog
        space={space}
        source={source}
        now={{ title: page.title, props: page.computed?.props ?? {} }}
        onKeep={(title, computed) =>
          editing.mutateAsync([
            {
              operation: "update_page",
              page: page.id,
              title,
              computed: {
                ...(page.computed?.dependencies ? { dependencies: page.computed.dependencies } : {}),
                ...computed,
              },
            },
          ])
        }
        onClose={onClose}
      />
    </Suspense>
  );
}
