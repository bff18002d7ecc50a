import './past.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import type { RevertPlan } from '../../time-travel/time-travel-schema.ts';
import { go } from '../browser/router.ts';
import { getConsoleFlag } from '../calls/flags.ts';
import { type AskedChange, addChangeRequestChanges, getPendingChangeRequests } from '../calls/requests.ts';
import { previewFeatureRevert, revertFeature } from '../calls/time-travel.ts';
import { maySkipApproval, reasonAgainst, type SwitchPlace, wayOf } from '../change/change-way.ts';
import { expireFlagLists } from '../change/expire-flag-lists.ts';
import { peek, reload, useRead } from '../data/cache.ts';
import { Confirm } from '../parts/confirm.tsx';
import { SelectField } from '../parts/forms/select-field.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { useStart } from '../reader/start.ts';
import { addToDraft, describeDraft, isTitled } from '../words/change-requests.ts';
import { tellEvent } from '../words/events.ts';
import { describeTime, toLocalTime } from '../words/times.ts';
import { BackView, SinceView, ThenView } from './past-views.tsx';
import { readPastTime } from './read-past-time.ts';
import { suggestPastTime } from './suggest-past-time.ts';
import { titleRevert } from './title-revert.ts';

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
  const [time, setTime] = useState(() =>
    toLocalTime(event?.createdAt ?? suggestPastTime(feature.createdAt, Date.now())),
  );
  const [environment, setEnvironment] = useState(event?.environment ?? everywhere);
  const [view, setView] = useState<View>('then');
  const typed = readPastTime(time, Date.now());
  const moment = event !== undefined && side !== 'time' ? `${side}:${event.id}` : typed.moment;
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
  const planPath =
    view === 'back' && moment !== undefined
      ? previewFeatureRevert(path, { to: moment, ...(chosen && { environment: chosen }) })
      : undefined;
  const plan = useRead(planPath, 60_000);
  const isPossible = plan.value?.obstacles.length === 0 && countChanges(plan.value) > 0;

  const directVerb = protectedPlaces.length > 0 ? withoutApproval : 'Go back to this';
  const verb = isAsking ? addToDraft : directVerb;

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
    const asking = changes.map(({ before: _before, ...change }) => change) as AskedChange[];
    // The changes go into the request that waits already, which keeps its title.
    const pending = getPendingChangeRequests({ projectId: feature.project });
    await reload(pending);
    const joined = peek(pending).value?.find((each) => each.environment === environment);
    const at = side === 'time' ? moment : event?.createdAt;
    const title = titleRevert(feature.name, side, at ?? '');
    const body = { changes: asking, ...(!(joined && isTitled(joined)) && { title }) };
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
            hint="In the time zone of your browser."
            problem={typed.problem}
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
      {moment !== undefined && view === 'then' && <ThenView path={path} at={moment} only={chosen} />}
      {moment !== undefined && view === 'since' && <SinceView path={path} from={moment} only={chosen} />}
      {planPath !== undefined && <BackView plan={plan} onRetry={() => reload(planPath)} />}
      {view === 'back' && isAsking && chosen !== undefined && <p>{describeDraft(environment, places[0]?.approvals)}</p>}
    </Confirm>
  );
}

function countChanges({ fields, shared, environments }: RevertPlan): number {
  return fields.length + shared.length + environments.length;
}
