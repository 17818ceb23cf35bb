// Where the selected words lead: a page, a heading, a file or an address. Escape leaves it.
import { Unlink } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../look/Button";
import { t } from "../words/words";
import { made } from "./forms/PickForms";
import { targetChoices } from "./picker/choices";
import { Picker } from "./picker/Picker";
import type { Ref, Services } from "./services";
import styles from "./SelectionBar.module.css";

type Props = {
  services: Services;
  // now is where they lead already, null for nowhere.
  now: Ref | null;
  onDone: (ref: Ref | null) => void;
  onCancel: () => void;
};

export function LinkField({ services, now, onDone, onCancel }: Props) {
  const [fault, setFault] = useState(false);
  return (
    <div className={styles.link}>
      <Picker
        label={t("editor.link.address")}
        placeholder={t("editor.link.search")}
        first={now?.url ?? ""}
        search={(words) => targetChoices(services, words, { files: true, addresses: true, create: true })}
        onChoose={(target) => void made(target).then(({ ref }) => onDone(ref), () => setFault(true))}
        onCancel={onCancel}
      />
      {fault && <p role="alert" className={styles.fault}>{t("editor.page.create.failed")}</p>}
      {now && (
        <IconButton label={t("editor.link.remove")} className={styles.unlink} onClick={() => onDone(null)}>
          <Unlink />
        </IconButton>
      )}
    </div>
  );
}
