import { type Role, roleName, roles } from "../access/role";
import { t } from "../words/words";
import styles from "./People.module.css";

type Props = {
  label: string;
  value: Role | null;
  disabled?: boolean;
  onChange: (role: Role | null) => void;
  describedBy?: string;
};

// roleOrGuest is a role in the organization in a word: who has none is a guest.
export const roleOrGuest = (role: Role | null): string => (role === null ? t("role.guest") : roleName(role));

// MemberRole chooses the role in an organization, or that of a guest.
export function MemberRole({ label, value, disabled = false, onChange, describedBy }: Props) {
  return (
    <select
      aria-label={label}
      className={styles.select}
      value={value ?? ""}
      disabled={disabled}
      aria-describedby={describedBy}
      onChange={(event) => onChange((event.currentTarget.value || null) as Role | null)}
    >
      <option value="">{roleOrGuest(null)}</option>
      {roles.map((role) => (
        <option key={role} value={role}>
          {roleName(role)}
        </option>
      ))}
    </select>
  );
}
