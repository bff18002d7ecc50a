import './trace.css';
import type { JSX } from 'preact';
import type { ExplainedStrategy } from '../../delivery/evaluation/explanation.ts';
import type { TypedContext } from '../../delivery/preview/typed-context.ts';
import { Condition } from '../parts/condition.tsx';
import { Tag } from '../parts/small.tsx';
import { describeStrategy } from '../words/events.ts';
import { describeChance, missesByCase } from './reasons.ts';

/** A strategy with its result, as this page and the playground of the service explain it. */
interface Explained extends Pick<ExplainedStrategy, 'constraints' | 'segments'> {
  readonly strategy: Pick<ExplainedStrategy['strategy'], 'id' | 'name' | 'disabled' | 'parameters'> & {
    readonly title?: string | null;
  };
  readonly result: Pick<ExplainedStrategy['result'], 'enabled'>;
}

interface TracesProps {
  readonly strategies: readonly Explained[];
  /** The context for which they were evaluated; without it, nothing is said about chance and case. */
  readonly typed?: TypedContext;
  /** The strategy that is being edited. */
  readonly editedId?: string | undefined;
}

/** Strategies with the result of each condition: why a user gets a flag, or does not. */
export function Traces({ strategies, typed, editedId }: TracesProps): JSX.Element {
  return (
    <ul class="trace">
      {strategies.map((explained) => (
        <Trace
          key={explained.strategy.id}
          explained={explained}
          typed={typed}
          isEdited={explained.strategy.id === editedId}
        />
      ))}
    </ul>
  );
}

interface TraceProps {
  readonly explained: Explained;
  readonly typed: TypedContext | undefined;
  readonly isEdited: boolean;
}

function Trace({ explained, typed, isEdited }: TraceProps): JSX.Element {
  const { strategy, result, constraints, segments } = explained;
  const areConditionsMet = [...constraints, ...segments].every((each) => each.result);
  const chance = typed && describeChance(explained, typed);
  return (
    <li>
      <p>
        {chance === undefined ? <Mark holds={result.enabled === true} /> : <span class="mark">?</span>}
        <b>{describeStrategy({ ...strategy })}</b>
        {isEdited && <Tag>edited here</Tag>}
        <span class="muted">{chance ?? describeResult(explained, areConditionsMet, typed)}</span>
      </p>
      <ul>
        {segments.map(({ id, name, result: holds, constraints: own }) => (
          <li key={id}>
            <Mark holds={holds} />
            in <b>{name || `segment ${id}`}</b>
            <ul>
              {own.map((condition) => (
                <Result key={JSON.stringify(condition)} condition={condition} typed={typed} />
              ))}
            </ul>
          </li>
        ))}
        {constraints.map((condition) => (
          <Result key={JSON.stringify(condition)} condition={condition} typed={typed} />
        ))}
      </ul>
    </li>
  );
}

interface ResultProps {
  readonly condition: Explained['constraints'][number];
  readonly typed: TypedContext | undefined;
}

/** A condition and whether it holds. */
function Result({ condition, typed }: ResultProps): JSX.Element {
  return (
    <li>
      <Mark holds={condition.result} />
      <Condition condition={condition} />
      {typed !== undefined && missesByCase(condition, typed) && (
        <span class="muted"> only capital and small letters differ</span>
      )}
    </li>
  );
}

function describeResult(
  { strategy, result }: Explained,
  areConditionsMet: boolean,
  typed: TypedContext | undefined,
): string {
  if (strategy.disabled) return 'switched off';
  if (result.enabled === 'unknown') return 'only the application can decide';
  if (result.enabled || !areConditionsMet) return '';
  const { rollout, stickiness = 'default' } = strategy.parameters;
  const isSticky = stickiness !== 'default' && stickiness !== 'random';
  if (rollout !== undefined && isSticky && typed !== undefined && !typed[stickiness])
    return `nobody without ${stickiness}`;
  return rollout === undefined ? 'not among those listed' : `not among the ${rollout}%`;
}

function Mark({ holds }: { readonly holds: boolean }): JSX.Element {
  return (
    <span class={holds ? 'mark yes' : 'mark no'}>
      <span aria-hidden="true">{holds ? '✓' : '✕'}</span>
      <span class="hidden">{holds ? 'holds: ' : 'does not hold: '}</span>
    </span>
  );
}
