import './condition.css';
import type { JSX } from 'preact';
import { conditionValues } from '../../delivery/preview/condition-values.ts';
import type { Constraint } from '../../features/strategies/constraint-schema.ts';
import { describeOperator } from '../words/conditions.ts';

/** The most values that a condition shows before it says how many more there are. */
const shownMax = 12;

/** A condition as a sentence. */
export function Condition({ condition }: { readonly condition: Constraint }): JSX.Element {
  const values = conditionValues(condition);
  return (
    <span class="condition">
      <b>{condition.contextName}</b> {describeOperator(condition)}{' '}
      {values.slice(0, shownMax).map((value) => (
        <code key={value}>{value}</code>
      ))}
      {values.length > shownMax && <span class="muted">and {values.length - shownMax} more</span>}
    </span>
  );
}
