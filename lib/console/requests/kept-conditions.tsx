import type { JSX } from 'preact';
import type { Constraint } from '../../features/strategies/constraint-schema.ts';
import { Condition } from '../parts/condition.tsx';
import type { Effect } from '../words/requested-changes.ts';

/** The conditions that a change of a strategy leaves as they are: "from 10% to 50%" alone does not say of whom. */
export function KeptConditions({ effect }: { readonly effect: Effect }): JSX.Element | null {
  const before = new Set(conditionsOf(effect.preData).map((condition) => JSON.stringify(condition)));
  const kept = conditionsOf(effect.data).filter((condition) => before.has(JSON.stringify(condition)));
  if (kept.length === 0) return null;
  return (
    <p class="effect-kept">
      Still only where{' '}
      {kept.map((condition, index) => (
        <span key={JSON.stringify(condition)}>
          {index > 0 && ' and '}
          <Condition condition={condition} />
        </span>
      ))}
    </p>
  );
}

function conditionsOf(state: Effect['data']): readonly Constraint[] {
  return (state?.constraints ?? []) as readonly Constraint[];
}
