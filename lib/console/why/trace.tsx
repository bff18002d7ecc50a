import './trace.css';
import type { JSX } from 'preact';
import type { ExplainedStrategy } from '../../delivery/evaluation/explanation.ts';
import { Condition } from '../parts/condition.tsx';
import { describeStrategy } from '../words/events.ts';

/** A strategy with its result, as this page and the playground of the service explain it. */
interface Explained extends Pick<ExplainedStrategy, 'constraints' | 'segments'> {
  readonly strategy: Pick<ExplainedStrategy['strategy'], 'id' | 'name' | 'disabled' | 'parameters'> & {
    readonly title?: string | null;
  };
  readonly result: Pick<ExplainedStrategy['result'], 'enabled'>;
}

/** Strategies with the result of each condition: why a user gets a flag, or does not. */
export function Traces({ strategies }: { readonly strategies: readonly Explained[] }): JSX.Element {
  return (
    <ul class="trace">
      {strategies.map((explained) => (
        <Trace key={explained.strategy.id} explained={explained} />
      ))}
    </ul>
  );
}

function Trace({ explained }: { readonly explained: Explained }): JSX.Element {
  const { strategy, result, constraints, segments } = explained;
  const areConditionsMet = [...constraints, ...segments].every((each) => each.result);
  return (
    <li>
      <p>
        <Mark holds={result.enabled === true} />
        <b>{describeStrategy({ ...strategy })}</b>
        <span class="muted">{describeResult(explained, areConditionsMet)}</span>
      </p>
      <ul>
        {segments.map(({ id, name, result: holds, constraints: own }) => (
          <li key={id}>
            <Mark holds={holds} /> in <b>{name || `segment ${id}`}</b>
            <ul>
              {own.map((condition) => (
                <li key={JSON.stringify(condition)}>
                  <Mark holds={condition.result} />
                  <Condition condition={condition} />
                </li>
              ))}
            </ul>
          </li>
        ))}
        {constraints.map((condition) => (
          <li key={JSON.stringify(condition)}>
            <Mark holds={condition.result} />
            <Condition condition={condition} />
          </li>
        ))}
      </ul>
    </li>
  );
}

function describeResult({ strategy, result }: Explained, areConditionsMet: boolean): string {
  if (strategy.disabled) return 'switched off';
  if (result.enabled === 'unknown') return 'only the application can decide';
  if (result.enabled || !areConditionsMet) return '';
  const { rollout } = strategy.parameters;
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
