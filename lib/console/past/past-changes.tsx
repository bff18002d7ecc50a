import type { JSX } from 'preact';
import type { FeatureDifference, RevertPlan } from '../../time-travel/time-travel-schema.ts';
import { Diff } from '../parts/diff.tsx';
import { Tag } from '../parts/small.tsx';
import { type Difference, listDifferences } from '../words/differences.ts';
import { type Effect, tellEffect, tellRequestedEffect, toEffect } from '../words/requested-changes.ts';

type Change = RevertPlan['shared'][number];
type Segment = FeatureDifference['segments'][number];

/** The changes of a part of a flag. */
interface ChangeGroup {
  readonly title: string;
  readonly needsApproval?: boolean;
  readonly changes: readonly Change[];
}

interface PastChangesProps {
  readonly fields: RevertPlan['fields'];
  readonly groups: readonly ChangeGroup[];
  readonly segments?: readonly Segment[];
  /** True if the changes have been made already. */
  readonly isMade: boolean;
  /** The sentence for no changes. */
  readonly nothing: string;
}

/** Changes of a flag between two moments, as sentences with their differences. */
export function PastChanges({ fields, groups, segments = [], isMade, nothing }: PastChangesProps): JSX.Element {
  const shown = groups.filter(({ changes }) => changes.length > 0);
  if (shown.length + fields.length + segments.length === 0) return <p>{nothing}</p>;
  return (
    <>
      {fields.length > 0 && (
        <section class="past-environment">
          <h3>The flag</h3>
          <Diff differences={fields.map(toDifference)} />
        </section>
      )}
      {shown.map(({ title, needsApproval, changes }) => (
        <section key={title} class="past-environment">
          <h3>
            {title}
            {needsApproval && <Tag tone="warn">Needs approval</Tag>}
          </h3>
          <ul>
            {changes.map((change, index) => (
              <li key={index}>
                <ChangeSentence change={change} isMade={isMade} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {segments.map(({ id, name, before, after }) => (
        <section key={id} class="past-environment">
          <h3>Segment {name}</h3>
          <Diff differences={listDifferences({ constraints: before }, { constraints: after })} />
        </section>
      ))}
    </>
  );
}

function ChangeSentence({ change, isMade }: { readonly change: Change; readonly isMade: boolean }): JSX.Element {
  const { before, payload } = change;
  const content = { ...(payload as object | undefined), ...(before !== undefined && { snapshot: before }) };
  const effect = toEffect({ action: change.action, payload: content });
  const isUpdate = effect.data !== null && effect.preData !== null;
  return (
    <>
      {isMade ? tellEffect(effect) : tellRequestedEffect(effect)}
      <Diff differences={listDifferences(toShown(effect.preData, isUpdate), toShown(effect.data, isUpdate))} />
    </>
  );
}

/** Prepares a state for the table. The sentence already has the name of a strategy, and a plan is too long for a table. */
function toShown(state: Effect['data'], isUpdate: boolean): Effect['data'] {
  if (state === null || 'milestones' in state) return null;
  const { name: _name, featureName: _flag, title, disabled, ...others } = state;
  return { ...others, ...(isUpdate && { title }), ...((isUpdate || disabled === true) && { disabled }) };
}

function toDifference({ property, before, after }: RevertPlan['fields'][number]): Difference {
  const label = property.charAt(0).toUpperCase() + property.slice(1);
  return { label, before: toText(before), after: toText(after) };
}

function toText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === null || value === '' ? 'none' : String(value);
}
