import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Role } from '../../people/roles/role-schema.ts';
import type { ShownServiceAccount } from '../../people/service-account-schema.ts';
import { createServiceAccount, updateServiceAccount } from '../calls/tokens.ts';
import { reload } from '../data/cache.ts';
import { useSending } from '../data/use-sending.ts';
import { FormFoot } from '../parts/forms/form-foot.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { RoleField } from '../people/role-field.tsx';

interface ServiceAccountFormProps {
  /** Undefined for a new one. */
  readonly account?: ShownServiceAccount;
  readonly roles: readonly Role[];
  readonly path: string;
  readonly onClose: () => void;
}

/** The form of a new or an existing service account. */
export function ServiceAccountForm({ account, roles, path, onClose }: ServiceAccountFormProps): JSX.Element {
  const { isBusy, problems, send } = useSending();
  const [name, setName] = useState(account?.name ?? '');
  const [username, setUsername] = useState('');
  const [rootRole, setRole] = useState(account?.rootRole ?? roles.find(({ name: role }) => role === 'Viewer')?.id ?? 0);
  const isNew = account === undefined;
  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const body = { name: name.trim(), rootRole };
    const isSaved = await send(async () => {
      if (isNew) await createServiceAccount({}, { body: { ...body, username: username.trim() } });
      else await updateServiceAccount({ id: account.id }, { body });
      await reload(path);
    });
    if (isSaved) onClose();
  }
  return (
    <form class="card form form-card" aria-label={isNew ? 'New service account' : account.name} onSubmit={save}>
      <div class="form-pair">
        <TextField label="Name" maxLength={255} required value={name} onInput={setName} />
        {isNew && (
          <TextField
            label="User name"
            hint="It cannot be changed."
            autocapitalize="none"
            maxLength={255}
            required
            value={username}
            onInput={setUsername}
          />
        )}
      </div>
      <RoleField label="Role" roles={roles} value={rootRole} onChange={setRole} />
      <FormFoot verb={isNew ? 'Create the account' : 'Save'} problems={problems} isBusy={isBusy} cancel={onClose} />
    </form>
  );
}
