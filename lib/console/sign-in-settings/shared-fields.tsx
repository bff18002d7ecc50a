import type { JSX } from 'preact';
import { getRoles } from '../calls/people.ts';
import { useRead } from '../data/cache.ts';
import { Check } from '../parts/forms/checks.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { RoleField } from '../people/role-field.tsx';
import { isRootRole } from '../people/role-kinds.ts';

/** The settings that all ways of single sign-on have. */
interface SharedSettings {
  readonly enabled?: boolean;
  readonly autoCreate?: boolean;
  readonly defaultRootRoleId?: number;
  readonly emailDomains?: string;
  readonly enableGroupSyncing?: boolean;
  readonly groupJsonPath?: string;
}

interface SharedFieldsProps {
  readonly draft: SharedSettings;
  readonly onChange: (change: SharedSettings) => void;
}

/** The fields about new accounts: who gets one, with which role, and in which groups. */
export function SharedFields({ draft, onChange }: SharedFieldsProps): JSX.Element {
  const { value: list } = useRead(getRoles({}), 60_000);
  const roles = (list?.roles ?? []).filter(isRootRole);
  const viewer = roles.find(({ name }) => name === 'Viewer')?.id ?? null;
  return (
    <>
      <Check
        label="Create an account at first sign-in"
        hint="Otherwise they wait, and Admins find them among the people."
        isChecked={draft.autoCreate ?? false}
        onCheck={(autoCreate) => onChange({ autoCreate })}
      />
      <RoleField
        label="Role of a new account"
        roles={roles}
        value={draft.defaultRootRoleId || viewer}
        onChange={(defaultRootRoleId) => onChange({ defaultRootRoleId })}
      />
      <TextField
        label="Allowed e-mail domains"
        hint="With commas between them. Empty for all."
        value={draft.emailDomains}
        onInput={(emailDomains) => onChange({ emailDomains })}
      />
      <Check
        label="Update groups at sign-in"
        hint="By the groups that the identity provider names."
        isChecked={draft.enableGroupSyncing ?? false}
        onCheck={(enableGroupSyncing) => onChange({ enableGroupSyncing })}
      />
      {draft.enableGroupSyncing && (
        <TextField
          label="Where its groups are"
          hint="The path in what it sends, such as groups."
          value={draft.groupJsonPath}
          onInput={(groupJsonPath) => onChange({ groupJsonPath })}
        />
      )}
    </>
  );
}

/** Returns settings without empty texts, which the service would take for addresses. */
export function withoutEmpty<T extends object>(settings: T): T {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== '')) as T;
}
