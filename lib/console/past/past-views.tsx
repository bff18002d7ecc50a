import { Fragment, type JSX } from 'preact';
import type { FeatureThen, RevertPlan } from '../../time-travel/time-travel-schema.ts';
import { compareFeature, getFeatureThen } from '../calls/time-travel.ts';
import { type CacheEntry, reload, useRead } from '../data/cache.ts';
import { Tag } from '../parts/small.tsx';
import { Banner, Problem, Skeleton } from '../parts/states.tsx';
import { StrategyView, VariantBar } from '../strategy/strategy-view.tsx';
import { PastChanges } from './past-changes.tsx';

interface PlaceProps {
  readonly path: { readonly projectId: string; readonly featureName: string };
  /** The environments to show; all if it is missing. */
  readonly only: readonly string[] | undefined;
}

/** A flag as applications got it at a moment. */
export function ThenView({ path, at, only }: PlaceProps & { readonly at: string }): JSX.Element {
  const address = getFeatureThen(path, { at });
  const { value: then, problem } = useRead(address, 60_000);
  if (problem !== undefined) return <Problem problem={problem} onRetry={() => reload(address)} />;
  if (then === undefined) return <Skeleton rows={4} />;
  const { state } = then;
  if (state === null) return <p>The flag did not exist then.</p>;
  const shown = state.environments.filter(({ name }) => only?.includes(name) ?? true);
  return (
    <>
      <Doubts doubts={then.doubts} />
      {state.archived && <p>The flag was archived: applications did not get it.</p>}
      {state.dependencies.length > 0 && (
        <p>It depended on {state.dependencies.map((parent) => parent.feature).join(', ')}.</p>
      )}
      {shown.map((environment) => (
        <EnvironmentThen key={environment.name} environment={environment} segments={state.segments} />
      ))}
    </>
  );
}

type State = NonNullable<FeatureThen['state']>;

function EnvironmentThen({
  environment: { name, enabled, strategies, variants, releasePlan },
  segments,
}: {
  readonly environment: State['environments'][number];
  readonly segments: State['segments'];
}): JSX.Element {
  const named = segments.map(({ id, name: segment }) => ({ id, name: segment, constraints: [] }));
  return (
    <section class="past-environment">
      <h3>
        {name}
        <Tag tone={enabled ? 'on' : undefined}>{enabled ? 'On' : 'Off'}</Tag>
        {releasePlan !== null && (
          <Tag>
            {releasePlan.name}: {releasePlan.activeMilestone?.name ?? 'not begun'}
          </Tag>
        )}
      </h3>
      {strategies.length === 0 && <p>No strategies</p>}
      {strategies.map((strategy, index) => (
        <Fragment key={strategy.id}>
          {index > 0 && <span class="past-or">or</span>}
          <StrategyView strategy={strategy} segments={named} isOn={enabled} />
        </Fragment>
      ))}
      {variants.length > 0 && <VariantBar variants={variants} />}
    </section>
  );
}

/** The changes of a flag since a moment. */
export function SinceView({ path, from, only }: PlaceProps & { readonly from: string }): JSX.Element {
  const address = compareFeature(path, { from });
  const { value, problem } = useRead(address, 60_000);
  if (problem !== undefined) return <Problem problem={problem} onRetry={() => reload(address)} />;
  if (value === undefined) return <Skeleton rows={4} />;
  const { fields, dependencies, environments, segments } = value;
  const shown = environments.filter(({ name }) => only?.includes(name) ?? true);
  return (
    <>
      <Doubts doubts={value.from.doubts} />
      {!value.from.exists && <p>The flag did not exist then.</p>}
      <PastChanges
        isMade
        // A flag that did not exist counts as an archived one.
        fields={fields.filter(({ property }) => value.from.exists || property !== 'archived')}
        groups={[
          { title: 'Parents', changes: dependencies },
          ...shown.map(({ name, changes }) => ({ title: name, changes })),
        ]}
        segments={segments}
        nothing="Nothing has changed since then."
      />
    </>
  );
}

interface BackProps {
  readonly plan: CacheEntry<RevertPlan>;
  readonly onRetry: () => void;
}

/** The changes that lead a flag back to a moment, and what prevents them. */
export function BackView({ plan: { value, problem }, onRetry }: BackProps): JSX.Element {
  if (problem !== undefined) return <Problem problem={problem} onRetry={onRetry} />;
  if (value === undefined) return <Skeleton rows={4} />;
  const { fields, shared, environments, notes, obstacles } = value;
  return (
    <>
      {obstacles.length > 0 && (
        <Banner tone="bad" icon="triangle-alert" title="This moment cannot be restored">
          <ul>
            {obstacles.map(({ message }) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </Banner>
      )}
      {notes.length > 0 && (
        <Banner tone="info" icon="info" title="Applications get the same, but not everything is as it was">
          <ul>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </Banner>
      )}
      <PastChanges
        isMade={false}
        fields={fields}
        groups={[
          { title: 'Parents and archive', changes: shared },
          ...environments.map(({ name, needsApproval, changes }) => ({ title: name, needsApproval, changes })),
        ]}
        nothing="Applications get the same now as then."
      />
    </>
  );
}

function Doubts({ doubts }: { readonly doubts: readonly string[] }): JSX.Element | null {
  if (doubts.length === 0) return null;
  return (
    <Banner tone="warn" icon="triangle-alert" title="The events do not tell everything">
      <ul>
        {doubts.map((doubt) => (
          <li key={doubt}>{doubt}</li>
        ))}
      </ul>
    </Banner>
  );
}
