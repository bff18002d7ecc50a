import type { JSX } from 'preact';
import type { FlagChange } from '../change/change-way.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Menu, type MenuItem } from '../parts/menu.tsx';
import { Ago } from '../parts/small.tsx';
import { StrategyView } from '../strategy/strategy-view.tsx';
import { countOf } from '../words/numbers.ts';
import {
  describeLength,
  describeReach,
  type MilestoneState,
  type MilestoneView,
  milestoneStateOf,
} from '../words/plans.ts';
import { buildLengthRemoval, buildStart, type PlanPlace } from './plan-changes.ts';

interface MilestoneProps {
  readonly where: PlanPlace;
  readonly milestone: MilestoneView;
  /** The reason why the reader may not change the plan. */
  readonly reason: string | undefined;
  readonly onChange: (change: FlagChange) => void;
  readonly onSetLength: () => void;
}

const words: Readonly<Record<MilestoneState, string>> = {
  done: 'Done',
  skipped: 'Skipped',
  active: 'Active',
  later: 'Not started',
};

/** A milestone of a plan: its state, how long it lasts, and whom it reaches. */
export function Milestone({ where, milestone, reason, onChange, onSetLength }: MilestoneProps): JSX.Element {
  const { flag, environment, plan } = where;
  const { name, strategies, startedAt, transitionCondition } = milestone;
  const state = milestoneStateOf(plan, milestone);
  const reach = describeReach(milestone);
  const next = plan.milestones[plan.milestones.indexOf(milestone) + 1];
  const isWaiting = plan.activeMilestoneId === null;
  const isBack = state === 'done' || state === 'skipped';
  const editor = `/projects/${flag.feature.project}/features/${flag.feature.name}/strategies/edit?environmentId=${environment.name}`;
  const removeTime = next && (() => onChange(buildLengthRemoval(where, milestone, next)));
  const items: readonly MenuItem[] = [
    ...(state === 'active' || isWaiting
      ? []
      : [
          {
            label: isBack ? `Go back to ${name}` : `Start ${name}`,
            icon: isBack ? ('rotate-ccw' as const) : ('play' as const),
            reason,
            onChoose: () => onChange(buildStart(where, milestone)),
          },
        ]),
    ...(next === undefined
      ? []
      : [
          {
            label: transitionCondition === undefined ? 'Set a time' : 'Change the time',
            icon: 'clock' as const,
            reason,
            onChoose: onSetLength,
          },
        ]),
    ...(transitionCondition === undefined || removeTime === undefined
      ? []
      : [{ label: 'Remove the time', icon: 'x' as const, reason, onChoose: removeTime }]),
  ];
  const shown = strategies.map((strategy) => (
    <StrategyView
      key={strategy.id}
      editor={`${editor}&strategyId=${strategy.id}`}
      strategy={strategy}
      segments={flag.segments}
      isOn={environment.enabled && state === 'active'}
    />
  ));
  return (
    <li class={`plan-step ${state}`}>
      <span class="plan-mark" aria-hidden="true">
        {state === 'done' && <Icon name="check" size={12} />}
      </span>
      <div class="grow">
        <div class="plan-step-head">
          <p class="grow">
            <b>{name}</b>{' '}
            <span class="muted">
              {words[state]}
              {state === 'active' && startedAt !== undefined && (
                <>
                  , started <Ago time={startedAt} />
                </>
              )}
            </span>
          </p>
          {items.length > 0 && <Menu label={`Acts on the milestone ${name} in ${environment.name}`} items={items} />}
        </div>
        {state === 'active' ? (
          <div class="plan-strategies">{shown}</div>
        ) : (
          <details>
            <summary>
              {countOf(strategies.length, 'strategy', 'strategies')}
              {reach !== undefined && ` for ${reach} of users`}
            </summary>
            <div class="plan-strategies">{shown}</div>
          </details>
        )}
        {next !== undefined && !isBack && (
          <p class="plan-length">
            {describeLength(milestone)}
            {reason === undefined && (
              <Button
                kind="quiet"
                aria-label={`Change how long ${name} lasts in ${environment.name}`}
                onClick={onSetLength}
              >
                <Icon name={transitionCondition === undefined ? 'clock' : 'pencil'} size={14} />
              </Button>
            )}
          </p>
        )}
      </div>
    </li>
  );
}
