// The reusable contents of the space, to choose one.
import { t } from "../../words/words";
import { Picker } from "../picker/Picker";
import type { Services } from "../services";

type Props = { services: Services; onChoose: (id: string) => void; onCancel: () => void };

export function ReusablePicker({ services, onChoose, onCancel }: Props) {
  const search = async (words: string) => {
    const sought = words.trim().toLowerCase();
    const all = await services.reusables();
    return all
      .filter(({ title }) => title.toLowerCase().includes(sought))
      .map(({ id, title }) => ({ id, title, value: id }));
  };
  return (
    <Picker
      label={t("editor.reusable.pick")}
      none={t("editor.reusable.none")}
      search={search}
      onChoose={onChoose}
      onCancel={onCancel}
    />
  );
}
