import styles from "./Access.module.css";
import { type Role, roleName } from "./role";

type Props = { label: string; value: Role; roles: Role[]; disabled?: boolean; onChange: (role: Role) => void };

// RoleSelect is a role that can be another one. What is held stays in the list, also where it could not be given.
export function RoleSelect({ label, value, roles, disabled = false, onChange }: Props) {
  const offered = roles.includes(value) ? roles : [...roles, value];
  return (
    <select
      aria-label={label}
      className={styles.select}
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.value as Role)}
    >
      {offered.map((role) => (
        <option key={role} value={role}>
          {roleName(role)}
        </option>
      ))}
    </select>
  );
}
