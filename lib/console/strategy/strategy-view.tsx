import './strategy-view.css';
import type { ComponentChildren, JSX } from 'preact';
import type { StrategyView as Strategy } from '../../features/strategies/strategy-schema.ts';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import { Condition } from '../parts/condition.tsx';
import { Meter, Tag } from '../parts/small.tsx';
import { WeightBar } from '../parts/weight-bar.tsx';
import { describeStrategy } from '../words/events.ts';

interface StrategyProps {
  /** The address of the editor; missing for a strategy of an earlier moment. */
  readonly editor?: string;
  readonly strategy: Strategy;
  readonly segments: ConsoleFlag['segments'];
  /** False if the flag is off in the environment. */
  readonly isOn: boolean;
  /** The menu of acts. */
  readonly children?: ComponentChildren;
}

/** Returns the share of users that a strategy reaches, in per cent. */
function rolloutOf({ parameters }: Strategy): number {
  return Number(parameters.rollout ?? 100);
}

/** A strategy as a sentence: whom it reaches, where, and with which variants. */
export function StrategyView({ editor, strategy, segments, isOn, children }: StrategyProps): JSX.Element {
  const { constraints, variants, disabled } = strategy;
  const rollout = rolloutOf(strategy);
  const used = strategy.segments.map((id) => segments.find((segment) => segment.id === id)?.name ?? `segment ${id}`);
  return (
    <div class={disabled ? 'strategy disabled' : 'strategy'}>
      <div class="strategy-head">
        {editor === undefined ? <b>{describeStrategy(strategy)}</b> : <a href={editor}>{describeStrategy(strategy)}</a>}
        {disabled && <Tag>Switched off</Tag>}
        <span class="strategy-share">{rollout}%</span>
        {children}
      </div>
      <Meter value={rollout} isOff={!isOn || disabled} />
      {used.length + constraints.length > 0 && (
        <ul class="strategy-conditions">
          {used.map((name) => (
            <li key={name} class="condition">
              in <b>{name}</b>
            </li>
          ))}
          {constraints.map((condition) => (
            <li key={JSON.stringify(condition)}>
              <Condition condition={condition} />
            </li>
          ))}
        </ul>
      )}
      {variants.length > 0 && <VariantBar variants={variants} />}
    </div>
  );
}

/** Shares of variants as one bar, with their names below. */
export function VariantBar({
  variants,
}: {
  readonly variants: readonly Pick<Strategy['variants'][number], 'name' | 'weight'>[];
}): JSX.Element {
  return (
    <div class="variants">
      <WeightBar weights={variants.map(({ weight }) => weight)} />
      <ul>
        {variants.map(({ name, weight }, index) => (
          <li key={name}>
            <i class={`variants-dot variant-${(index % 5) + 1}`} /> {name} <b>{weight / 10}%</b>
          </li>
        ))}
      </ul>
    </div>
  );
}
