// What else stands in the tree beside pages: groups, which hold pages below a name, links to elsewhere, and pages that
// integrations make.
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Blocks, FolderPlus, Link2, Plus } from "lucide-react";
import { type FormEvent, lazy, Suspense, useId, useState } from "react";
import { addressOf } from "../editor/address";
import { Button, IconButton } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { failureText } from "../look/Failed";
import { Field } from "../look/Field";
import { Menu, MenuItem, MenuSeparator } from "../look/Menu";
import { t } from "../words/words";
import { useEditing } from "./editing";
import { contentSources, type Source } from "./sources";

// What draws settings is asked for when somebody wants them.
const SourceDialog = lazy(() => import("./SourceDialog").then(({ SourceDialog }) => ({ default: SourceDialog })));

type Kind = "group" | "link";
type Props = { space: string; change: number | undefined; page: string | undefined };

// NewEntry offers them in a menu, and asks what they are called.
export function NewEntry({ space, change, page }: Props) {
  const form = useId();
  const navigate = useNavigate();
  const [making, make] = useState<Kind | null>(null);
  const [source, setSource] = useState<Source | null>(null);
  const sources = useQuery({ ...contentSources(space), staleTime: 60_000 }).data ?? [];
  const [fault, setFault] = useState("");
  // What is made on main is made in a draft, which shows it.
  const editing = useEditing(space, change, (draft) => {
    if (change !== undefined) return;
    const params = { space, number: String(draft) };
    if (page) void navigate({ to: "/spaces/$space/changes/$number/pages/$page", params: { ...params, page } });
    else void navigate({ to: "/spaces/$space/changes/$number", params });
  });
  const close = () => {
    make(null);
    setFault("");
    editing.reset();
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const title = String(data.get("title")).trim();
    const url = making === "link" ? addressOf(String(data.get("address"))) : undefined;
    if (title === "") return;
    if (making === "link" && !url) return setFault(t("tree.link.wrong"));
    try {
      await editing.mutateAsync([
        { operation: "insert_page", type: making!, title, ...(url ? { target: { kind: "url", url } } : {}) },
      ]);
      close();
    } catch (failure) {
      setFault(failureText(failure));
    }
  };
  return (
    <>
      <Menu
        trigger={
          <IconButton label={t(sources.length > 0 ? "tree.more.sources" : "tree.more")}>
            <Plus />
          </IconButton>
        }
      >
        <MenuItem icon={<FolderPlus />} onClick={() => make("group")}>
          {t("tree.group.new")}
        </MenuItem>
        <MenuItem icon={<Link2 />} onClick={() => make("link")}>
          {t("tree.link.new")}
        </MenuItem>
        {sources.length > 0 && <MenuSeparator />}
        {sources.map((each) => (
          <MenuItem
            key={each.type}
            icon={each.icon ? <img src={each.icon} alt="" /> : <Blocks />}
            onClick={() => setSource(each)}
          >
            {t("source.new", { title: each.title, integration: each.integrationTitle })}
          </MenuItem>
        ))}
      </Menu>
      {source && (
        <Suspense>
          <SourceDialog
            space={space}
            source={source}
            onKeep={(title, computed) =>
              editing.mutateAsync([{ operation: "insert_page", type: "computed", title, computed }])
            }
            onClose={() => setSource(null)}
          />
        </Suspense>
      )}
      {making && (
        <Dialog
          open
          onOpenChange={(open) => !open && close()}
          title={t(`tree.${making}.new`)}
          description={t(`tree.${making}.what`)}
          actions={
            <>
              <Button onClick={close}>{t("look.cancel")}</Button>
              <Button kind="primary" type="submit" form={form} busy={editing.isPending}>
                {t("tree.create")}
              </Button>
            </>
          }
        >
          <form id={form} onSubmit={(event) => void submit(event)}>
            <Field
              name="title"
              label={t("home.spaceTitle")}
              required
              maxLength={100}
              autoComplete="off"
              error={making === "group" ? fault : undefined}
            />
            {making === "link" && (
              <Field
                name="address"
                label={t("tree.link.address")}
                placeholder="https://"
                required
                error={fault}
                autoComplete="off"
                spellCheck={false}
              />
            )}
          </form>
        </Dialog>
      )}
    </>
  );
}
