import type { JSX } from 'preact';
import {
  createEnvironment,
  getAllEnvironments,
  getEnvironment,
  type ListedEnvironment,
  updateEnvironment,
} from '../calls/environments.ts';
import { reload, useRead } from '../data/cache.ts';
import { loadVersioned } from '../data/load-versioned.ts';
import type { Versioned } from '../data/save-edits.ts';
import { useEdits } from '../parts/edits/use-edits.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
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

/** An environment while it is edited. */
interface EnvironmentEdits {
  readonly name: string;
  readonly type: string;
  readonly approvals: number;
}

type Known = Pick<ListedEnvironment, 'name' | 'type' | 'requiredApprovals'>;

function toEdits({ name, type, requiredApprovals }: Known): EnvironmentEdits {
  return { name, type, approvals: requiredApprovals ?? 0 };
}

/** Creates or edits an environment. */
export function EnvironmentDialog({ edited, onClose }: EnvironmentDialogProps): JSX.Element | null {
  const path = edited === 'new' ? undefined : getEnvironment({ name: edited.name });
  const { value, etag, problem } = useRead(path, 60_000);
  // The form begins with the version that its changes name.
  if (path !== undefined && value === undefined && problem === undefined) return null;
  const known = value ?? (edited === 'new' ? { name: '', type: 'development', requiredApprovals: null } : edited);
  return <Form path={path} original={{ value: toEdits(known), etag }} onClose={onClose} />;
}

interface FormProps {
  readonly path: ReturnType<typeof getEnvironment> | undefined;
  readonly original: Versioned<EnvironmentEdits>;
  readonly onClose: () => void;
}

function Form({ path, original, onClose }: FormProps): JSX.Element {
  const isNew = path === undefined;
  const { draft, set, isBusy, problems, save, conflict } = useEdits({
    original,
    send: ({ name, type, approvals }, { etag }) => {
      const body = { type, requiredApprovals: approvals === 0 ? null : approvals };
      return isNew
        ? createEnvironment({}, { body: { name, ...body } })
        : updateEnvironment({ name }, { body, ifMatch: etag });
    },
    load: async () => path && loadVersioned(path, toEdits),
    onSaved: ({ name }) => {
      showMessage(isNew ? `Created ${name}. Projects add it in their settings.` : `Saved ${name}`);
      void reload(getAllEnvironments({}));
      onClose();
    },
  });

  if (conflict !== undefined) return conflict;
  return (
    <FormDialog
      title={isNew ? 'New environment' : `Edit ${draft.name}`}
      verb={isNew ? 'Create' : 'Save'}
      isBusy={isBusy}
      isDisabled={draft.name === ''}
      problems={problems}
      onSubmit={save}
      onClose={onClose}
    >
      {isNew && (
        <TextField
          label="Name"
          hint="It cannot be changed later. Tokens name it."
          isCode
          maxLength={100}
          value={draft.name}
          onInput={(name) => set({ name })}
        />
      )}
      <SelectField
        label="Type"
        hint="In production, the console asks before it changes something."
        value={draft.type}
        options={[...new Set([...types, draft.type])]}
        onChoose={(type) => set({ type })}
      />
      <TextField
        label="Approvals in new projects"
        hint="0 for none. Projects that exist have their own rule: it is in their settings, under Approval."
        type="number"
        min={0}
        max={approvalsMax}
        value={draft.approvals}
        onInput={(approvals) => set({ approvals: Number(approvals) })}
      />
    </FormDialog>
  );
}
