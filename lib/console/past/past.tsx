import './past.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import type { FeatureThen, RevertPlan } from '../../time-travel/time-travel-schema.ts';
import { getConsoleFlag } from '../calls/flags.ts';
import { type AskedChange, addChangeRequestChanges } from '../calls/requests.ts';
import { compareFeature, getFeatureThen, previewFeatureRevert, revertFeature } from '../calls/time-travel.ts';
import { type CacheEntry, reload, useRead } from '../data/cache.ts';
import { useStart } from '../data/start.ts';
import { maySkipApproval, reasonAgainst, type SwitchPlace, wayOf } from '../flag/change-way.ts';
import { StrategyView, VariantBar } from '../flag/strategy-view.tsx';
import { expireFlagLists } from '../flags/expire-flag-lists.ts';
import { Confirm } from '../parts/confirm.tsx';
import { SelectField } from '../parts/forms/select-field.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { Tag } from '../parts/small.tsx';
import { Banner, Problem, Skeleton } from '../parts/states.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { go } from '../shell/router.ts';
import { addToDraft, describeDraft } from '../words/change-requests.ts';
import { tellEvent } from '../words/events.ts';
import { describeTime, fromLocalTime, toLocalTime } from '../words/times.ts';
import { PastChanges } from './past-changes.tsx';

interface PastProps {
  readonly flag: ConsoleFlag;
  /** Returns an environment with the approvals that a change needs there. */
  readonly placeIn: (environment: string) => SwitchPlace;
  /** The event whose moment is shown first; undefined for a time that the reader chooses. */
  readonly event?: ConsoleFlag['events'][number] | undefined;
  readonly onClose: () => void;
}

const views = [
  ['then', 'What applications got'],
  ['since', 'Changes since then'],
  ['back', 'Going back'],
] as const;
type View = (typeof views)[number][0];

const withoutApproval = 'Go back without approval';

/** The choice of all environments; none can have this name. */
const everywhere = '';

/** A flag at an earlier moment: what applications got, what has changed since then, and the way back. */
export function Past({ flag, placeIn, event, onClose }: PastProps): JSX.Element {
  const { feature } = flag;
  const { value: start } = useStart();
  const [side, setSide] = useState<'before' | 'after' | 'time'>(event === undefined ? 'time' : 'before');
  const [time, setTime] = useState(toLocalTime(event?.createdAt ?? Date.now()));
  const [environment, setEnvironment] = useState(event?.environment ?? everywhere);
  const [view, setView] = useState<View>('then');
  const moment = event !== undefined && side !== 'time' ? `${side}:${event.id}` : fromLocalTime(time);
  const names = feature.environments.map(({ name }) => name);
  const chosen = environment === everywhere ? undefined : [environment];

  const places = (chosen ?? names).map(placeIn);
  const protectedPlaces = places.filter((place) => wayOf(start, place) === 'approval');
  const maySkip = protectedPlaces.every((place) => maySkipApproval(start, place));
  const isAsking = protectedPlaces.length > 0 && !(maySkip && chosen === undefined);
  const reason =
    places.map((place) => reasonAgainst(start, 'UPDATE_FEATURE', place, 'change flags')).find(Boolean) ??
    (isAsking && chosen === undefined ? 'Some changes need approval: choose one environment.' : undefined);

  const path = { projectId: feature.project, featureName: feature.name };
  const plan = useRead(
    view === 'back' && moment !== undefined
      ? previewFeatureRevert(path, { to: moment, ...(chosen && { environment: chosen }) })
      : undefined,
    60_000,
  );
  const isPossible = plan.value?.obstacles.length === 0 && countChanges(plan.value) > 0;

  const verb = isAsking ? addToDraft : protectedPlaces.length > 0 ? withoutApproval : 'Go back to this';

  async function goBack(): Promise<void> {
    const revert = (to: string, ifMatch?: string) =>
      revertFeature(path, { body: { to, ...(chosen && { environments: chosen }) }, ifMatch });
    if (moment === undefined) return;
    await revert(moment, plan.etag);
    const [last] = flag.events;
    const undo = async () => {
      await revert(`after:${last?.id}`);
      await reload(getConsoleFlag(path));
    };
    showMessage(`Took ${feature.name} back`, last && { undo: () => void undo() });
    expireFlagLists();
    await reload(getConsoleFlag(path));
  }

  async function request(): Promise<void> {
    const changes = plan.value?.environments.flatMap((each) => each.changes) ?? [];
    const body = changes.map(({ before: _before, ...change }) => change) as AskedChange[];
    const { body: added } = await addChangeRequestChanges({ projectId: feature.project, environment }, { body });
    const [asked] = [added].flat();
    if (asked !== undefined) go(`/projects/${feature.project}/change-requests/${asked.id}`);
  }

  return (
    <Confirm
      kind="wide"
      title={`${feature.name} at an earlier moment`}
      verb={view === 'back' ? verb : undefined}
      cancel="Close"
      isDisabled={!isPossible}
      reason={reason}
      act={isAsking ? request : goBack}
      other={view === 'back' && isAsking && maySkip ? { verb: withoutApproval, act: goBack } : undefined}
      onClose={onClose}
    >
      <div class="past-fields">
        {event !== undefined && (
          <SelectField
            label="Moment"
            hint={`${event.author} ${tellEvent(event)}, ${describeTime(event.createdAt)}`}
            value={side}
            options={[
              ['before', 'Right before this change'],
              ['after', 'Right after this change'],
              ['time', 'Another time'],
            ]}
            onChoose={setSide}
          />
        )}
        {side === 'time' && (
          <TextField
            label="Time"
            hint="In the zone of your browser."
            type="datetime-local"
            max={toLocalTime(Date.now())}
            value={time}
            onInput={setTime}
          />
        )}
        <SelectField
          label="Environment"
          value={environment}
          options={[[everywhere, 'All, and the flag itself'], ...names.map((name) => [name, name] as const)]}
          onChoose={setEnvironment}
        />
      </div>
      <fieldset class="chips past-views">
        <legend class="hidden">View</legend>
        {views.map(([each, label]) => (
          <button key={each} type="button" class="chip" aria-pressed={view === each} onClick={() => setView(each)}>
            {label}
          </button>
        ))}
      </fieldset>
      {moment !== undefined && view === 'then' && <Then path={path} at={moment} only={chosen} />}
      {moment !== undefined && view === 'since' && <Since path={path} from={moment} only={chosen} />}
      {view === 'back' && <Back plan={plan} />}
      {view === 'back' && isAsking && chosen !== undefined && <p>{describeDraft(environment, places[0]?.approvals)}</p>}
    </Confirm>
  );
}

function countChanges({ fields, shared, environments }: RevertPlan): number {
  return fields.length + shared.length + environments.length;
}

interface PlaceProps {
  readonly path: { readonly projectId: string; readonly featureName: string };
  /** The environments to show; all if it is missing. */
  readonly only: readonly string[] | undefined;
}

function Then({ path, at, only }: PlaceProps & { readonly at: string }): JSX.Element {
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
        {name} <Tag tone={enabled ? 'on' : undefined}>{enabled ? 'On' : 'Off'}</Tag>
        {releasePlan !== null && (
          <Tag>
            {releasePlan.name}: {releasePlan.activeMilestone?.name ?? 'not begun'}
          </Tag>
        )}
      </h3>
      {strategies.length === 0 && <p>No strategies</p>}
      {strategies.map((strategy) => (
        <StrategyView key={strategy.id} strategy={strategy} segments={named} isOn={enabled} />
      ))}
      {variants.length > 0 && <VariantBar variants={variants} />}
    </section>
  );
}

function Since({ path, from, only }: PlaceProps & { readonly from: string }): JSX.Element {
  const address = compareFeature(path, { from });
  const { value, problem } = useRead(address, 60_000);
  if (problem !== undefined) return <Problem problem={problem} onRetry={() => reload(address)} />;
  if (value === undefined) return <Skeleton rows={4} />;
  const { fields, dependencies, environments, segments } = value;
  const shown = environments.filter(({ name }) => only?.includes(name) ?? true);
  return (
    <>
      <Doubts doubts={value.from.doubts} />
      <PastChanges
        isMade
        fields={fields}
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

function Back({ plan: { value, problem } }: { readonly plan: CacheEntry<RevertPlan> }): JSX.Element {
  if (problem !== undefined) return <p role="alert">{problem.message}</p>;
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
