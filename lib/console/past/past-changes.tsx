import type { JSX } from 'preact';
import type { FeatureDifference, RevertPlan } from '../../time-travel/time-travel-schema.ts';
import { getSegments } from '../calls/segments.ts';
import { useRead } from '../data/cache.ts';
import { Diff } from '../parts/diff.tsx';
import { Tag } from '../parts/small.tsx';
import { type Difference, listDifferences } from '../words/differences.ts';
import { type Effect, tellEffect, tellRequestedEffect, toEffect } from '../words/requested-changes.ts';
import { describeStrategyState } from '../words/strategy-state.ts';

type Change = RevertPlan['shared'][number];
type Segment = FeatureDifference['segments'][number];

interface Named {
  readonly id: number;
  readonly name: string;
}

interface State {
  readonly segments?: readonly number[];
}

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
  const hasSegments = shown.some(({ changes }) => changes.some(namesSegments));
  const { value: all } = useRead(hasSegments ? getSegments({}) : undefined, 60_000);
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
                <ChangeSentence change={change} isMade={isMade} segments={all?.segments ?? []} />
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

/** Tells whether a change has a strategy with segments, of which it has the ids only. */
function namesSegments({ before, payload }: Change): boolean {
  return [before, payload].some((state) => ((state as State | undefined)?.segments?.length ?? 0) > 0);
}

interface SentenceProps {
  readonly change: Change;
  readonly isMade: boolean;
  /** The segments, which give ids their names. */
  readonly segments: readonly Named[];
}

function ChangeSentence({ change, isMade, segments: all }: SentenceProps): JSX.Element {
  const { before, payload } = change;
  const content = { ...(payload as object | undefined), ...(before !== undefined && { snapshot: before }) };
  const effect = toEffect({ action: change.action, payload: content });
  const isUpdate = effect.data !== null && effect.preData !== null;
  const [from, to] = [effect.preData, effect.data].map((state) => toShown(state, isUpdate, all));
  return (
    <>
      {isMade ? tellEffect(effect) : tellRequestedEffect(effect)}
      <Diff differences={listDifferences(from, to)} />
    </>
  );
}

/** Prepares a state for the table. The sentence already has the name of a strategy, and a plan is too long for a table. */
function toShown(state: Effect['data'], isUpdate: boolean, segments: readonly Named[]): Effect['data'] {
  if (state === null || 'milestones' in state) return null;
  const { name: _name, featureName: _flag, title, disabled, ...others } = state;
  const described = describeStrategyState(others, segments);
  return { ...described, ...(isUpdate && { title }), ...((isUpdate || disabled === true) && { disabled }) };
}

function toDifference({ property, before, after }: RevertPlan['fields'][number]): Difference {
  const label = property.charAt(0).toUpperCase() + property.slice(1);
  return { label, before: toText(before), after: toText(after) };
}

function toText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === null || value === '' ? 'none' : String(value);
}
