import '../parts/forms/form.css';
import type { JSX } from 'preact';
import type { ShownUser } from '../../people/user-schema.ts';
import { getAccessOverview, getRoles, getUser, getUserPermissions, getUsers, updateUser } from '../calls/people.ts';
import { peek, reload, useRead } from '../data/cache.ts';
import { loadVersioned } from '../data/load-versioned.ts';
import { useEdits } from '../parts/edits/use-edits.tsx';
import { FormFoot } from '../parts/forms/form-foot.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { RoleField } from './role-field.tsx';
import { isRootRole } from './role-kinds.ts';
import { managedReason, useIsManaged } from './use-directory.ts';

interface PersonFormProps {
  readonly person: ShownUser;
  readonly onClose: () => void;
}

const toEdits = ({ name = '', email = '', rootRole }: ShownUser) => ({ name, email, rootRole });

/** The form for the name, the address and the role of a person. */
export function PersonForm({ person, onClose }: PersonFormProps): JSX.Element {
  const { id } = person;
  const { value: list } = useRead(getRoles({}), 60_000);
  const path = getUser({ id });
  const isManaged = useIsManaged(person);
  const locked = isManaged ? ({ hint: managedReason, readOnly: true } as const) : {};
  const { draft, set, isBusy, problems, save, conflict } = useEdits({
    original: { value: toEdits(person), etag: peek(path).etag },
    send: ({ name, email, rootRole }, { etag }) => {
      // An address cannot be taken away, and one that stays does not need to be confirmed again.
      const body = { name, rootRole, ...(email !== (person.email ?? '') && { email }) };
      return updateUser({ id }, { body, ifMatch: etag });
    },
    load: () => loadVersioned(path, toEdits),
    onSaved: () => {
      void Promise.all([reload(getUsers({})), reload(getAccessOverview({})), reload(getUserPermissions({ id }))]);
      onClose();
    },
  });
  return (
    <form class="card form form-card" aria-label="Edit the account" onSubmit={save}>
      <div class="form-pair">
        <TextField label="Name" maxLength={255} {...locked} value={draft.name} onInput={(name) => set({ name })} />
        <TextField label="E-mail" type="email" {...locked} value={draft.email} onInput={(email) => set({ email })} />
      </div>
      <RoleField
        label="Role"
        roles={(list?.roles ?? []).filter(isRootRole)}
        value={draft.rootRole}
        onChange={(rootRole) => set({ rootRole })}
      />
      <FormFoot verb="Save" problems={problems} isBusy={isBusy} cancel={onClose} />
      {conflict}
    </form>
  );
}
