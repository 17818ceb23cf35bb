// What somebody is told of: the latest first, those that were not read or all. Opening one marks it as read.
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { CheckCheck, Inbox as InboxIcon, Mail as MailIcon } from "lucide-react";
import { notifications } from "../api/queries";
import { Button } from "../look/Button";
import { EmptyState } from "../look/EmptyState";
import { Failed } from "../look/Failed";
import { Menu, MenuChoice, MenuChoices } from "../look/Menu";
import { MoreButton } from "../look/MoreButton";
import { Skeleton } from "../look/Skeleton";
import { useOrganization } from "../shell/organization";
import { Title } from "../shell/Title";
import { t } from "../words/words";
import styles from "./Inbox.module.css";
import { Item } from "./Item";
import { listed, mark, type Mail, setMail, settings } from "./queries";

export function Inbox() {
  const { organization } = useOrganization();
  return (
    <main id="main" tabIndex={-1} className={styles.inbox}>
      <Title text={t("inbox.title")} />
      {organization ? (
        <Content key={organization.id} organization={organization.id} />
      ) : (
        <Skeleton shape="card" lines={4} />
      )}
    </main>
  );
}

function Content({ organization }: { organization: string }) {
  const { show }: { show?: "all" } = useSearch({ strict: false });
  const all = show === "all";
  const queries = useQueryClient();
  const asked = useInfiniteQuery(listed(organization, all));
  const items = asked.data?.pages.flatMap((page) => page.items ?? []) ?? [];
  const marked = useMutation({
    mutationFn: ({ read, ids }: { read: boolean; ids?: string[] }) => mark(organization, read, ids),
    onSettled: () => queries.invalidateQueries({ queryKey: notifications.of(organization) }),
  });
  return (
    <>
      <header className={styles.head}>
        <h1 className={styles.title}>{t("inbox.title")}</h1>
        <nav className={styles.filter} aria-label={t("inbox.filter")}>
          <Link to="/inbox" activeOptions={{ exact: true, includeSearch: true }}>
            {t("inbox.waits")}
          </Link>
          <Link to="/inbox" search={{ show: "all" }} activeOptions={{ includeSearch: true }}>
            {t("inbox.all")}
          </Link>
        </nav>
        <span className={styles.gap} />
        <MailMenu />
        {items.some((item) => !item.readAt) && (
          <Button icon={<CheckCheck />} busy={marked.isPending} onClick={() => marked.mutate({ read: true })}>
            {t("inbox.readAll")}
          </Button>
        )}
      </header>
      {marked.isError && <Failed failure={marked.error} onRetry={() => marked.mutate(marked.variables)} />}
      {asked.isPending && <Skeleton shape="card" lines={4} />}
      {asked.isError && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.data && items.length === 0 && (
        <EmptyState icon={<InboxIcon />} title={t("inbox.nothing")}>
          {t("inbox.nothingText")}
        </EmptyState>
      )}
      {items.length > 0 && (
        <ul className={styles.list}>
          {items.map((item) => (
            <Item key={item.id} item={item} onMark={(read) => marked.mutate({ read, ids: [item.id] })} />
          ))}
        </ul>
      )}
      <MoreButton list={asked} className={styles.more} />
    </>
  );
}

const choices: Mail[] = ["at-once", "daily", "never"];

// MailMenu says when mail comes, and changes it.
function MailMenu() {
  const queries = useQueryClient();
  const known = useQuery(settings).data?.mail;
  const set = useMutation({
    // One after the other, so that the last choice stays.
    scope: { id: "mail" },
    mutationFn: setMail,
    onSuccess: (made) => queries.setQueryData(notifications.settings, made),
  });
  const chosen = set.isPending ? set.variables : known;
  if (!chosen) return null;
  return (
    <>
      {set.isError && <Failed failure={set.error} onRetry={() => set.mutate(set.variables)} />}
      <Menu
        trigger={
          <Button kind="quiet" icon={<MailIcon />}>
            {t(`inbox.mail.${chosen}`)}
          </Button>
        }
      >
        <MenuChoices label={t("inbox.mail")} value={chosen} onChange={(mail) => set.mutate(mail as Mail)}>
          {choices.map((choice) => (
            <MenuChoice key={choice} value={choice}>
              {t(`inbox.mail.${choice}`)}
            </MenuChoice>
          ))}
        </MenuChoices>
      </Menu>
    </>
  );
}
