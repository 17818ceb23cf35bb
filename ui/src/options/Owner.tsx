// Who is asked about a page.
import { useState } from "react";
import { personChoices } from "../editor/picker/choices";
import { Picker } from "../editor/picker/Picker";
import type { Services } from "../editor/services";
import { Button } from "../look/Button";
import { failureText } from "../look/Failed";
import { t } from "../words/words";
import { Somebody } from "../people/Somebody";
import styles from "./Options.module.css";

// services are there where the page can be written.
type Props = {
  owner: string | undefined;
  services: Services | false;
  onChange: (owner: string | null) => Promise<unknown>;
};

export function Owner({ owner, services, onChange }: Props) {
  const [choosing, setChoosing] = useState(false);
  const [fault, setFault] = useState("");
  const choose = async (next: string | null) => {
    setChoosing(false);
    try {
      await onChange(next);
      setFault("");
    } catch (failure) {
      setFault(failureText(failure));
    }
  };
  return (
    <div role="group" aria-label={t("options.owner")} className={styles.group}>
      <span className={styles.label}>{t("options.owner")}</span>
      <div className={styles.line}>
        {owner ? <Somebody id={owner} picture /> : <span className={styles.note}>{t("options.owner.none")}</span>}
        {services && (
          <Button aria-expanded={choosing} onClick={() => setChoosing(!choosing)}>
            {t(owner ? "options.owner.change" : "options.owner.choose")}
          </Button>
        )}
        {services && owner && (
          <Button kind="quiet" onClick={() => void choose(null)}>
            {t("editor.remove")}
          </Button>
        )}
      </div>
      {choosing && services && (
        <Picker
          label={t("options.owner.search")}
          search={(words) => personChoices(services, words)}
          onChoose={(person) => void choose(person.id)}
          onCancel={() => setChoosing(false)}
        />
      )}
      <p className={styles.note}>{t("options.owner.hint")}</p>
      {fault && (
        <p role="alert" className={styles.fault}>
          {fault}
        </p>
      )}
    </div>
  );
}
