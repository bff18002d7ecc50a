import './plan.css';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { reasonAgainst } from '../change/change-way.ts';
import { useFlagChange } from '../change/flag-change.tsx';
import { placeOf } from '../change/place-of.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { Pill } from '../parts/small.tsx';
import { useStart } from '../reader/start.ts';
import { describeNext, describeOwn, progressOf } from '../words/plans.ts';
import { LengthDialog } from './length-dialog.tsx';
import { Milestone } from './milestone.tsx';
import { PlanBar } from './plan-bar.tsx';
import { buildPause, buildPlanRemoval, buildResume, buildStart, type PlanPlace } from './plan-changes.ts';
import { Reach } from './reach.tsx';
import { UsePlan } from './use-plan.tsx';

/** The release plan of a flag in an environment: how far it is, what happens next, and its milestones. */
export function Plan(where: PlanPlace): JSX.Element {
  const { flag, environment, plan } = where;
  const [onChange, changeDialog] = useFlagChange(flag, ({ reach }) => reach && <Reach flag={flag} {...reach} />);
  const { name, enabled } = environment;
  const { value: start } = useStart();
  const [opened, setOpened] = useState<'replace' | { readonly milestone: number }>();
  useRedraw();
  const { milestones } = plan;
  const { index, active, before, next, isPaused } = progressOf(plan);
  const own = describeOwn(environment.strategies);
  const place = placeOf(flag, name);
  const update = reasonAgainst(start, 'UPDATE_FEATURE_STRATEGY', place, 'change strategies');
  const isTimed = milestones.slice(Math.max(0, index), -1).some((each) => each.transitionCondition !== undefined);
  const timed = typeof opened === 'object' ? milestones[opened.milestone] : undefined;
  const afterTimed = typeof opened === 'object' ? milestones[opened.milestone + 1] : undefined;
  const inPlace = <span class="hidden"> in {name}</span>;
  return (
    <section class="plan" aria-label={`Release plan in ${name}`}>
      <div class="plan-head">
        <Icon name="rocket" />
        <h3 class="grow">{plan.name}</h3>
        {isPaused && (
          <Pill tone="warn" icon="pause">
            Paused
          </Pill>
        )}
        <Menu
          label={`Acts on the release plan in ${name}`}
          items={[
            {
              label: 'Use another plan',
              icon: 'rocket',
              reason: reasonAgainst(start, 'CREATE_FEATURE_STRATEGY', place, 'add strategies'),
              onChoose: () => setOpened('replace'),
            },
            {
              label: 'Remove the plan',
              icon: 'trash',
              isDanger: true,
              reason: reasonAgainst(start, 'DELETE_FEATURE_STRATEGY', place, 'remove strategies'),
              onChoose: () => onChange(buildPlanRemoval(where)),
            },
          ]}
        />
      </div>
      <PlanBar plan={plan} environment={environment} />
      <p>
        {active !== undefined && (
          <>
            <b>{active.name}</b>, {index + 1} of {milestones.length}.{' '}
          </>
        )}
        <span class="muted">{describeNext(plan, enabled)}</span>
      </p>
      {enabled && own !== undefined && <p class="plan-own">{own}</p>}
      {active !== undefined && (
        <div class="plan-acts">
          {next !== undefined && (
            <Button reason={update} onClick={() => onChange(buildStart(where, next))}>
              Start {next.name}
              {inPlace}
            </Button>
          )}
          {before !== undefined && (
            <Button reason={update} onClick={() => onChange(buildStart(where, before))}>
              Go back
              {inPlace}
            </Button>
          )}
          {isPaused ? (
            <Button reason={update} onClick={() => onChange(buildResume(where))}>
              Resume
              {inPlace}
            </Button>
          ) : (
            isTimed && (
              <Button reason={update} onClick={() => onChange(buildPause(where))}>
                Pause
                {inPlace}
              </Button>
            )
          )}
        </div>
      )}
      <ol class="plan-steps">
        {milestones.map((milestone, step) => (
          <Milestone
            key={milestone.id}
            where={where}
            milestone={milestone}
            reason={update}
            onChange={onChange}
            onSetLength={() => setOpened({ milestone: step })}
          />
        ))}
      </ol>
      {changeDialog}
      {opened === 'replace' && <UsePlan flag={flag} environment={environment} onClose={() => setOpened(undefined)} />}
      {timed !== undefined && afterTimed !== undefined && (
        <LengthDialog where={where} milestone={timed} next={afterTimed} onClose={() => setOpened(undefined)} />
      )}
    </section>
  );
}

/** Draws again every half minute, so that times stay right. */
function useRedraw(): void {
  const [, redraw] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => redraw((count) => count + 1), 30_000);
    return () => clearInterval(timer);
  }, []);
}
