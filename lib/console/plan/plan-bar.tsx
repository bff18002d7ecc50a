import './plan-bar.css';
import type { JSX } from 'preact';
import type { FeatureEnvironmentView } from '../../features/feature-schema.ts';
import type { ReleasePlanView } from '../../features/plans/plan-schema.ts';
import { describeReach, findTimeShare, type MilestoneContent, milestoneStateOf } from '../words/plans.ts';

/** The most milestones whose shares have room below the bar. */
const labelsMax = 6;

interface PlanBarProps {
  readonly plan: ReleasePlanView;
  readonly environment: Pick<FeatureEnvironmentView, 'enabled' | 'strategies'>;
}

/**
 * The milestones of a plan as one bar: those that are done, the active one with the time that has passed, and those to come. The share of each
 * one includes the users of the strategies of the flag itself.
 */
export function PlanBar({ plan, environment: { enabled, strategies: own } }: PlanBarProps): JSX.Element {
  return (
    <Bar
      milestones={plan.milestones.map((each) => ({ ...each, strategies: [...each.strategies, ...own] }))}
      isOn={enabled}
      stateAt={(index) => {
        const milestone = plan.milestones[index];
        const state = milestone === undefined ? 'later' : milestoneStateOf(plan, milestone);
        return state === 'active' && milestone?.pausedAt !== undefined ? 'active paused' : state;
      }}
      elapsed={findTimeShare(plan) ?? 1}
    />
  );
}

interface BarProps {
  readonly milestones: readonly MilestoneContent[];
  readonly isOn: boolean;
  readonly stateAt: (index: number) => string;
  readonly elapsed: number;
}

function Bar({ milestones, isOn, stateAt, elapsed }: BarProps): JSX.Element {
  const hasLabels = milestones.length <= labelsMax;
  return (
    <div class={isOn ? 'plan-bar' : 'plan-bar off'} aria-hidden="true">
      {milestones.map((milestone, index) => (
        <span key={milestone.name} class={stateAt(index)}>
          <i style={{ '--share': stateAt(index).startsWith('active') ? elapsed : 1 }} />
          {hasLabels && describeReach(milestone)}
        </span>
      ))}
    </div>
  );
}

/** The milestones of a template as one bar. */
export function TemplateBar({ milestones }: { readonly milestones: readonly MilestoneContent[] }): JSX.Element {
  return <Bar milestones={milestones} isOn={false} stateAt={() => 'later'} elapsed={0} />;
}
