import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Constraint } from '../../features/strategies/constraint-schema.ts';
import { getContextFields } from '../calls/context-fields.ts';
import { updateChangeRequestChange } from '../calls/one-request.ts';
import { reload, useRead } from '../data/cache.ts';
import { Confirm } from '../parts/confirm.tsx';
import { SelectField } from '../parts/forms/select-field.tsx';
import { TextArea, TextField } from '../parts/forms/text-field.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { ConditionsEditor } from '../strategy/conditions-editor.tsx';
import {
  approvalsEnd,
  listValidApprovals,
  type PartProps,
  type RequestedChange,
  reloadOnFailure,
} from './request-parts.ts';

type Payload = Readonly<Record<string, unknown>>;

interface EditProps extends PartProps {
  readonly flag: string | undefined;
  readonly change: RequestedChange;
  readonly onClose: () => void;
}

const fieldsEveryMs = 60_000;

/** Edits one change of a request. A strategy has fields for its share and its conditions, and a switch has one. All else is JSON. */
export function EditChange({ page, path, flag, change, onClose }: EditProps): JSX.Element {
  const { request, version } = page;
  const { value: contextFields } = useRead(getContextFields({}), fieldsEveryMs);
  const [payload, setPayload] = useState<Payload>(() => withoutSnapshot(change.payload));
  const [json, setJson] = useState(() => JSON.stringify(withoutSnapshot(change.payload), null, 2));
  const isOfStrategy = ['addStrategy', 'updateStrategy', 'updateMilestoneStrategy'].includes(change.action);
  const parsed = parse(json);

  function set(next: Payload): void {
    setPayload(next);
    setJson(JSON.stringify(next, null, 2));
  }

  function type(text: string): void {
    setJson(text);
    const typed = parse(text);
    if (typed !== undefined) setPayload(typed);
  }

  async function save(): Promise<void> {
    await reloadOnFailure(
      path,
      updateChangeRequestChange(
        { projectId: request.project, id: request.id, changeId: change.id },
        { body: { ...(flag !== undefined && { feature: flag }), action: change.action, payload }, ifMatch: version },
      ),
    );
    showMessage('The change is edited');
    await reload(path);
  }

  return (
    <Confirm
      kind="wide"
      title="Edit this change"
      verb="Save"
      isDisabled={parsed === undefined}
      act={save}
      onClose={onClose}
    >
      <div class="edit-change">
        {isOfStrategy && (
          <StrategyFields
            payload={payload}
            fields={(contextFields ?? []).map(({ name, legalValues }) => ({
              name,
              legalValues: legalValues.map(({ value }) => value),
            }))}
            onChange={set}
          />
        )}
        {change.action === 'updateEnabled' && (
          <SelectField
            label="Switch it"
            value={String(payload.enabled)}
            options={[
              ['true', 'on'],
              ['false', 'off'],
            ]}
            onChoose={(enabled) => set({ ...payload, enabled: enabled === 'true' })}
          />
        )}
        <details open={!isOfStrategy && change.action !== 'updateEnabled'}>
          <summary>As JSON</summary>
          <TextArea
            label="Content"
            problem={parsed === undefined ? 'This is not a JSON object.' : undefined}
            isCode
            rows={10}
            value={json}
            onInput={type}
          />
        </details>
      </div>
      {listValidApprovals(request).length > 0 && <p>{approvalsEnd}</p>}
    </Confirm>
  );
}

interface StrategyFieldsProps {
  readonly payload: Payload;
  readonly fields: readonly { readonly name: string; readonly legalValues: readonly string[] }[];
  readonly onChange: (payload: Payload) => void;
}

function StrategyFields({ payload, fields, onChange }: StrategyFieldsProps): JSX.Element {
  const parameters = (payload.parameters ?? {}) as Readonly<Record<string, string>>;
  return (
    <>
      {parameters.rollout !== undefined && (
        <TextField
          label="Share of users in per cent"
          type="number"
          min={0}
          max={100}
          value={parameters.rollout}
          onInput={(rollout) => onChange({ ...payload, parameters: { ...parameters, rollout } })}
        />
      )}
      <h3>Only where all of this holds</h3>
      <ConditionsEditor
        conditions={(payload.constraints ?? []) as readonly Constraint[]}
        fields={fields}
        onChange={(constraints) => onChange({ ...payload, constraints })}
      />
    </>
  );
}

function withoutSnapshot(payload: unknown): Payload {
  const { snapshot: _snapshot, ...others } = (payload ?? {}) as Payload;
  return others;
}

function parse(json: string): Payload | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Payload) : undefined;
  } catch {
    return undefined;
  }
}
