import './plan-bar.css';
import type { JSX } from 'preact';
import type { ReleasePlanView } from '../../features/plans/plan-schema.ts';
import { describeReach, findTimeShare, type MilestoneContent, milestoneStateOf } from '../words/plans.ts';

/** The most milestones whose shares have room below the bar. */
const labelsMax = 6;

/** All milestones of a plan as one bar: those that are done, the active one with the time that has passed, and those to come. */
export function PlanBar({ plan, isOn }: { readonly plan: ReleasePlanView; readonly isOn: boolean }): JSX.Element {
  return (
    <Bar
      milestones={plan.milestones}
      isOn={isOn}
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
