// A text of which the integration knows what it can be: a list, or a line to type where the list does not answer.
import { useEffect, useState } from "react";
import type { Option } from "../kit/elements";
import { readOptions } from "../kit/parse";
import { Field } from "../look/Field";

type Props = {
  name: string;
  label: string;
  hint: string;
  value: string;
  address: string;
  // configured is what is kept, on which the list depends.
  configured: string;
};

export function Choices({ name, label, hint, value, address, configured }: Props) {
  const [list, setList] = useState<Option[]>([]);
  const [chosen, choose] = useState(value);
  useEffect(() => {
    let wanted = true;
    const read = async () => {
      const answer = await fetch(address, { credentials: "omit" });
      const found = readOptions(await answer.json());
      if (wanted && answer.ok) setList(found);
    };
    void read().catch(() => undefined);
    return () => void (wanted = false);
  }, [address, configured]);
  if (list.length === 0)
    return (
      <Field
        name={name}
        label={label}
        hint={hint}
        value={chosen}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => choose(event.target.value)}
      />
    );
  const known = list.some(({ id }) => id === chosen);
  const control = (
    <select>
      <option value="" />
      {!known && chosen && <option value={chosen}>{chosen}</option>}
      {list.map(({ id, label: title }) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
    </select>
  );
  return (
    <Field
      name={name}
      label={label}
      hint={hint}
      value={chosen}
      control={control}
      onChange={(event) => choose(event.target.value)}
    />
  );
}
