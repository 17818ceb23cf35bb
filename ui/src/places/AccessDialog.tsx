import { Access } from "../access/Access";
import { about, type Place } from "../home/places";
import { Dialog } from "../look/Dialog";
import { t } from "../words/words";

// AccessDialog is who may do what in a space or a collection.
export function AccessDialog({ place, onClose }: { place: Place; onClose: () => void }) {
  const { id, title } = about(place);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} shape="large" title={t("place.access.title", { title })}>
      <Access place={{ kind: place.kind, id }} />
    </Dialog>
  );
}
