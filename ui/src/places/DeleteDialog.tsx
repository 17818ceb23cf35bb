import { useRef } from "react";
import { about, type Place } from "../home/places";
import { Button } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { Failed } from "../look/Failed";
import { t } from "../words/words";
import { usePlaceChange } from "./usePlaceChange";

type Props = { organization: string; place: Place; onClose: () => void; onDone?: () => void };

// DeleteDialog asks before a space goes to the trash, or a collection goes and what it holds takes its place.
export function DeleteDialog({ organization, place, onClose, onDone = onClose }: Props) {
  const { remove } = usePlaceChange(organization);
  const cancel = useRef<HTMLButtonElement>(null);
  const { title } = about(place);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("place.delete.title", { title })}
      description={t(place.kind === "space" ? "place.delete.space.text" : "place.delete.collection.text")}
      initialFocus={cancel}
      actions={
        <>
          <Button ref={cancel} onClick={onClose}>
            {t("look.cancel")}
          </Button>
          <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate(place, { onSuccess: onDone })}>
            {t(place.kind === "space" ? "place.delete.space" : "place.delete.collection")}
          </Button>
        </>
      }
    >
      {remove.isError && <Failed failure={remove.error} />}
    </Dialog>
  );
}
