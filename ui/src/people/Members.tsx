import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { UsersRound } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { type Role, roleName, roles } from "../access/role";
import { EmptyState } from "../look/EmptyState";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { MoreButton } from "../look/MoreButton";
import { Skeleton } from "../look/Skeleton";
import type { Organization } from "../shell/organization";
import { t } from "../words/words";
import { MemberRow } from "./MemberRow";
import styles from "./People.module.css";
import { adminsOf, membersOf } from "./queries";
import { RemoveMember } from "./RemoveMember";
import type { Member } from "./queries";

// Members is the table of members and guests, found by name and role.
export function Members({ organization }: { organization: Organization }) {
  const [words, setWords] = useState("");
  const [role, setRole] = useState<Role | "guest" | "">("");
  const [leaving, setLeaving] = useState<Member>();
  const search = useDeferredValue(words.trim());
  const asked = useInfiniteQuery(
    membersOf(organization.id, { ...(search ? { search } : {}), ...(role ? { role } : {}) }),
  );
  const admins = useQuery(adminsOf(organization.id)).data ?? 0;
  const members = asked.data?.pages.flatMap((page) => page.items ?? []) ?? [];
  return (
    <>
      <div className={styles.bar}>
        <div className={styles.grow}>
          <Field
            label={t("access.search")}
            hideLabel
            type="search"
            placeholder={t("access.search")}
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
          />
        </div>
        <select
          aria-label={t("member.filter")}
          className={styles.select}
          value={role}
          onChange={(event) => setRole(event.currentTarget.value as Role | "guest" | "")}
        >
          <option value="">{t("member.filter.all")}</option>
          {roles.map((each) => (
            <option key={each} value={each}>
              {roleName(each)}
            </option>
          ))}
          <option value="guest">{t("role.guest")}</option>
        </select>
      </div>
      {asked.isError && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.isPending && <Skeleton shape="rows" lines={6} />}
      {asked.data && members.length === 0 && <EmptyState icon={<UsersRound />} title={t("access.nobody")} />}
      {members.length > 0 && (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t("member.name")}</th>
              <th scope="col">{t("member.role")}</th>
              <th scope="col" className={styles.wide}>
                {t("access.teams")}
              </th>
              <th scope="col" className={styles.wide}>
                {t("member.seen")}
              </th>
              <th scope="col">
                <span className="visually-hidden">{t("member.options")}</span>
              </th>
            </tr>
          </thead>
          {members.map((member) => (
            <MemberRow
              key={member.id}
              organization={organization}
              member={member}
              lastAdmin={member.role === "admin" && admins === 1}
              onRemove={() => setLeaving(member)}
            />
          ))}
        </table>
      )}
      <MoreButton list={asked} className={styles.more} />
      {leaving && <RemoveMember organization={organization} member={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  );
}
