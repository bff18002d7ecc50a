import '../parts/edits/edit-form.css';
import './field-editor.css';
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { ContextField } from '../../context-fields/context-field-schema.ts';
import { go, here } from '../browser/router.ts';
import {
  createContextField,
  getContextField,
  getContextFields,
  getStrategiesByContextField,
  updateContextField,
} from '../calls/context-fields.ts';
import { reload, useRead } from '../data/cache.ts';
import { loadVersioned } from '../data/load-versioned.ts';
import type { Versioned } from '../data/save-edits.ts';
import { Button } from '../parts/button.tsx';
import { Crumbs } from '../parts/crumbs.tsx';
import { useEdits } from '../parts/edits/use-edits.tsx';
import { UsedBy } from '../parts/edits/used-by.tsx';
import { Check } from '../parts/forms/checks.tsx';
import { FormFoot } from '../parts/forms/form-foot.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { Heading } from '../parts/heading.tsx';
import { Icon } from '../parts/icon.tsx';
import { Problem, Skeleton } from '../parts/states.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { mayIn, useStart } from '../reader/start.ts';

interface FieldEdits {
  readonly name: string;
  readonly description: string;
  readonly stickiness: boolean;
  readonly legalValues: readonly LegalValue[];
}

interface LegalValue {
  readonly value: string;
  readonly description: string;
}

const emptyField: FieldEdits = { name: '', description: '', stickiness: false, legalValues: [] };

/** The page on which a context field is created or edited. @param name undefined for a new one. */
export function FieldEditor({ name }: { readonly name?: string }): JSX.Element {
  const path = name === undefined ? undefined : getContextField({ contextField: name });
  const { value: field, etag, problem } = useRead(path, 60_000);
  return (
    <main class="page">
      <Crumbs trail={[['Context fields', '/context']]} />
      <div class="page-head">
        <Heading title={name ?? 'New field'} />
      </div>
      {problem !== undefined && path !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {name !== undefined && field === undefined && problem === undefined && <Skeleton rows={6} />}
      {name === undefined && <FieldForm isNew original={{ value: emptyField, etag: undefined }} />}
      {field !== undefined && <FieldForm isNew={false} original={{ value: toEdits(field), etag }} />}
    </main>
  );
}

function toEdits({ name, description, stickiness, legalValues }: ContextField): FieldEdits {
  return {
    name,
    description: description ?? '',
    stickiness,
    legalValues: legalValues.map((each) => ({ value: each.value, description: each.description ?? '' })),
  };
}

function toBody({ description, stickiness, legalValues }: FieldEdits) {
  return {
    description,
    stickiness,
    legalValues: legalValues
      .filter(({ value }) => value.trim() !== '')
      .map((each) => ({ value: each.value.trim(), ...(each.description !== '' && { description: each.description }) })),
  };
}

/** Returns the page after the form: the one in `?back=`, which asked for the field, or the list of fields. */
function readBack(): string {
  const back = new URLSearchParams(here.value.split('?')[1]).get('back') ?? '';
  // Two slashes, of either kind, would begin the address of another host.
  return /^\/(?![/\\])/.test(back) ? back : '/context';
}

interface FormProps {
  readonly isNew: boolean;
  readonly original: Versioned<FieldEdits>;
}

function FieldForm({ isNew, original }: FormProps): JSX.Element {
  const { value: start } = useStart();
  const contextField = original.value.name;
  const [back] = useState(readBack);
  const { value: uses } = useRead(isNew ? undefined : getStrategiesByContextField({ contextField }), 60_000);
  const { draft, set, isEdited, isBusy, problems, save, notice, conflict } = useEdits({
    key: `draft field ${contextField}`,
    original,
    send: (edits, { etag }) =>
      isNew
        ? createContextField({}, { body: { name: edits.name, ...toBody(edits) } })
        : updateContextField({ contextField }, { body: toBody(edits), ifMatch: etag }),
    load: async () => (isNew ? undefined : loadVersioned(getContextField({ contextField }), toEdits)),
    onSaved: async ({ name }) => {
      showMessage(`Saved the field ${name}`);
      await reload(getContextFields({}));
      go(back);
    },
  });
  const isAllowed = mayIn(start, isNew ? 'CREATE_CONTEXT_FIELD' : 'UPDATE_CONTEXT_FIELD');

  return (
    <form class="card edit-form" onSubmit={save}>
      {notice}
      {isNew && (
        <TextField
          label="Name"
          hint="As applications send it, such as region"
          isCode
          required
          maxLength={100}
          value={draft.name}
          onInput={(name) => set({ name })}
        />
      )}
      <TextField
        label="Description"
        maxLength={250}
        value={draft.description}
        onInput={(description) => set({ description })}
      />
      <Check
        label="Rollouts may be sticky by it"
        hint="Users with the same value then get the same each time."
        isChecked={draft.stickiness}
        onCheck={(stickiness) => set({ stickiness })}
      />
      <LegalValues values={draft.legalValues} onChange={(legalValues) => set({ legalValues })} />
      {(uses?.strategies.length ?? 0) > 0 && (
        <div>
          <h2>Used by</h2>
          <UsedBy uses={uses?.strategies ?? []} />
        </div>
      )}
      <FormFoot
        verb="Save"
        problems={problems}
        isBusy={isBusy}
        isDisabled={!isEdited}
        reason={start === undefined || isAllowed ? undefined : 'Needs the permission to change context fields.'}
        cancel={back}
      />
      {conflict}
    </form>
  );
}

interface LegalValuesProps {
  readonly values: readonly LegalValue[];
  readonly onChange: (values: readonly LegalValue[]) => void;
}

function LegalValues({ values, onChange }: LegalValuesProps): JSX.Element {
  // The box that takes the focus once it is there.
  const added = useRef<number | undefined>(undefined);
  const set = (index: number, change: Partial<LegalValue>) =>
    onChange(values.map((each, position) => (position === index ? { ...each, ...change } : each)));
  return (
    <fieldset class="legal-values">
      <legend>Legal values: where there are any, conditions accept no others</legend>
      {values.map(({ value, description }, index) => (
        <div key={index}>
          <input
            class="input"
            aria-label={`Value ${index + 1}`}
            placeholder="Value"
            maxLength={100}
            value={value}
            ref={(element) => {
              if (index !== added.current) return;
              added.current = undefined;
              element?.focus();
            }}
            onInput={(event) => set(index, { value: event.currentTarget.value })}
          />
          <input
            class="input"
            aria-label={`Description of value ${index + 1}`}
            placeholder="Description"
            value={description}
            onInput={(event) => set(index, { description: event.currentTarget.value })}
          />
          <Button
            kind="quiet"
            aria-label={`Remove value ${index + 1}`}
            onClick={() => onChange(values.filter((_, position) => position !== index))}
          >
            <Icon name="trash" />
          </Button>
        </div>
      ))}
      <Button
        icon="plus"
        onClick={() => {
          added.current = values.length;
          onChange([...values, { value: '', description: '' }]);
        }}
      >
        Add a value
      </Button>
    </fieldset>
  );
}
