import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ShownUser } from '../../people/user-schema.ts';
import { getAccessOverview, getRoles, getUser, getUserPermissions, getUsers, updateUser } from '../calls/people.ts';
import { peek, reload, useRead } from '../data/cache.ts';
import { useSending } from '../data/use-sending.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
import { RoleField } from './role-field.tsx';
import { isRootRole } from './role-kinds.ts';

interface PersonFormProps {
  readonly person: ShownUser;
  readonly onClose: () => void;
}

/** The form for the name, the address and the role of a person. */
export function PersonForm({ person, onClose }: PersonFormProps): JSX.Element {
  const { id } = person;
  const { value: list } = useRead(getRoles({}), 60_000);
  const [version] = useState(() => peek(getUser({ id })).etag);
  const { isBusy, problems, send } = useSending();
  const [name, setName] = useState(person.name ?? '');
  const [email, setEmail] = useState(person.email ?? '');
  const [rootRole, setRole] = useState(person.rootRole);
  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const isSaved = await send(async () => {
      const body = {
        rootRole,
        ...(name !== (person.name ?? '') && { name }),
        ...(email !== (person.email ?? '') && { email }),
      };
      await updateUser({ id }, { body, ifMatch: version });
      void reload(getUsers({}));
      await Promise.all([reload(getUser({ id })), reload(getAccessOverview({})), reload(getUserPermissions({ id }))]);
    });
    if (isSaved) onClose();
  }
  return (
    <form class="card form form-card" aria-label="Edit the account" onSubmit={save}>
      <div class="form-pair">
        <Field label="Name">
          <input
            class="input"
            autocomplete="off"
            maxLength={255}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </Field>
        <Field label="E-mail">
          <input
            class="input"
            type="email"
            autocomplete="off"
            value={email}
            onInput={(event) => setEmail(event.currentTarget.value)}
          />
        </Field>
      </div>
      <RoleField label="Role" roles={(list?.roles ?? []).filter(isRootRole)} value={rootRole} onChange={setRole} />
      <FormProblems problems={problems} />
      <div class="form-foot">
        <Button kind="solid" type="submit" isBusy={isBusy}>
          Save
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  );
}
