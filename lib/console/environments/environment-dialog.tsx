import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import {
  createEnvironment,
  getAllEnvironments,
  getEnvironment,
  type ListedEnvironment,
  updateEnvironment,
} from '../calls/environments.ts';
import { reload, useRead } from '../data/cache.ts';
import { Confirm } from '../parts/confirm.tsx';
import { SelectField } from '../parts/forms/select-field.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { showMessage } from '../parts/toasts.tsx';

interface EnvironmentDialogProps {
  readonly edited: ListedEnvironment | 'new';
  readonly onClose: () => void;
}

/** The usual types; another one can be that of an older environment. */
const types = ['development', 'test', 'preproduction', 'production'];

/** The most approvals that a rule asks for. */
const approvalsMax = 10;

/** Creates or edits an environment. */
export function EnvironmentDialog({ edited, onClose }: EnvironmentDialogProps): JSX.Element {
  const isNew = edited === 'new';
  const { etag } = useRead(isNew ? undefined : getEnvironment({ name: edited.name }), 60_000);
  const [name, setName] = useState(isNew ? '' : edited.name);
  const [type, setType] = useState(isNew ? 'development' : edited.type);
  const [approvals, setApprovals] = useState(isNew ? 0 : (edited.requiredApprovals ?? 0));

  async function save(): Promise<void> {
    const body = { type, requiredApprovals: approvals === 0 ? null : approvals };
    await (isNew
      ? createEnvironment({}, { body: { name, ...body } })
      : updateEnvironment({ name }, { body, ifMatch: etag }));
    showMessage(isNew ? `Created ${name}. Projects add it in their settings.` : `Saved ${name}`);
    void Promise.all([reload(getAllEnvironments({})), ...(isNew ? [] : [reload(getEnvironment({ name }))])]);
  }

  return (
    <Confirm
      title={isNew ? 'New environment' : `Edit ${name}`}
      verb={isNew ? 'Create' : 'Save'}
      isDisabled={name === ''}
      act={save}
      onClose={onClose}
    >
      {isNew && (
        <TextField
          label="Name"
          hint="It cannot be changed later. Tokens name it."
          isCode
          maxLength={100}
          value={name}
          onInput={setName}
        />
      )}
      <SelectField
        label="Type"
        hint="In production, the console asks before it changes something."
        value={type}
        options={[...new Set([...types, type])]}
        onChoose={setType}
      />
      <TextField
        label="Approvals in new projects"
        hint="0 for none. Each project can have another rule."
        type="number"
        min={0}
        max={approvalsMax}
        value={approvals}
        onInput={(value) => setApprovals(Number(value))}
      />
    </Confirm>
  );
}
