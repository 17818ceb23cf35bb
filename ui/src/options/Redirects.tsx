// The addresses that lead to a page: those that it had, and those that people have made lead there. One is added and
// taken away like the other options, in the change request that is open; what is refused says so at the field.
import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "../look/Button";
import { Failed, failureText } from "../look/Failed";
import { Field } from "../look/Field";
import { Skeleton } from "../look/Skeleton";
import type { Change } from "../space/editing";
import { Time } from "../words/Time";
import { t } from "../words/words";
import styles from "./Options.module.css";
import { pageRedirects, pathIn } from "./queries";

type Props = {
  space: string;
  change: number | undefined;
  page: string;
  onChange: (changes: Change[]) => Promise<unknown>;
};

export function Redirects({ space, change, page, onChange }: Props) {
  const asked = useQuery(pageRedirects(space, change, page));
  const [text, setText] = useState("");
  const [fault, setFault] = useState("");
  const [busy, setBusy] = useState(false);
  const save = async (changes: Change[]) => {
    setBusy(true);
    try {
      await onChange(changes);
      setFault("");
      return true;
    } catch (failure) {
      setFault(failureText(failure));
      return false;
    } finally {
      setBusy(false);
    }
  };
  const add = async (event: FormEvent) => {
    event.preventDefault();
    const path = pathIn(text);
    if (path === "") return setFault(t("options.redirects.empty"));
    if (await save([{ operation: "insert_redirect", page, path }])) setText("");
  };
  const list = asked.data ?? [];
  return (
    <section className={styles.part} aria-labelledby="options-redirects">
      <h3 id="options-redirects" className={styles.title}>
        {t("options.redirects")}
      </h3>
      {asked.isPending && <Skeleton shape="rows" lines={1} />}
      {asked.isError && !asked.data && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.data && list.length === 0 && <p className={styles.note}>{t("options.redirects.none")}</p>}
      {list.length > 0 && (
        <ul className={styles.redirects} aria-labelledby="options-redirects">
          {list.map(({ id, path, leftAt }) => (
            <li key={id} className={styles.redirect}>
              <span className={styles.address}>
                <bdi dir="ltr">/{path}</bdi>
                {leftAt && (
                  <span className={styles.left}>
                    {t("options.redirects.left")} <Time at={leftAt} />
                  </span>
                )}
              </span>
              <button
                type="button"
                disabled={busy}
                aria-label={t("options.redirects.delete", { path: `/${path}` })}
                onClick={() => void save([{ operation: "delete_redirect", redirect: id }])}
              >
                <X aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      <form className={styles.addressing} onSubmit={(event) => void add(event)}>
        <Field
          label={t("options.redirects.add")}
          hideLabel
          placeholder={t("options.redirects.example")}
          value={text}
          error={fault}
          maxLength={1024}
          dir="ltr"
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            setText(event.target.value);
            setFault("");
          }}
        />
        <Button type="submit" busy={busy}>
          {t("options.redirects.save")}
        </Button>
      </form>
    </section>
  );
}
