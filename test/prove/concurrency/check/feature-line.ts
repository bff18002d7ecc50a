import { isDeepStrictEqual } from 'node:util';
import type { Event } from '../../../../lib/events/event-schema.ts';
import type { StrategyInput } from '../../../../lib/features/strategies/strategy-input-schema.ts';
import type { AnsweredCall, Facts } from '../history.ts';
import { toldBy } from '../model/clone.ts';
import type { Chosen, PlanIds } from '../model/draft.ts';
import type { FeatureState, ForetoldEvent } from '../model/feature.ts';
import { modelStep } from '../model/step.ts';
import { type Anomaly, difference } from './anomaly.ts';
import type { Authors } from './authors.ts';
import { Timeline } from './timeline.ts';

/** A feature between two changes, with how many events it has by then. */
export interface FeatureVersion {
  readonly state: FeatureState | undefined;
  /** Number of events under its name before it was created. */
  readonly eventsBefore: number;
  readonly eventCount: number;
  /** Number of changes so far, which its entity tag shows. */
  readonly number: number;
}

export interface FeatureLine {
  readonly name: string;
  readonly events: readonly Event[];
  readonly timeline: Timeline<FeatureVersion>;
  /** The first thing that cannot be, after which nothing is known of the feature. */
  readonly anomaly?: Anomaly;
}

/** Default strategies that an import may have met. */
export type DefaultStrategies = (call: AnsweredCall) => readonly (StrategyInput | undefined)[];

/** Follows the events of a feature through the model, change by change. */
export function followEvents(
  name: string,
  events: readonly Event[],
  { facts, authors, defaultStrategies }: { facts: Facts; authors: Authors; defaultStrategies: DefaultStrategies },
): FeatureLine {
  const timeline = new Timeline<FeatureVersion>({
    state: undefined,
    eventsBefore: 0,
    eventCount: 0,
    number: 0,
  });
  const line = { name, events, timeline };
  const makers = new Set<AnsweredCall>();
  for (const [call, commit] of commitsIn(events, authors)) {
    const broken = (message: string): FeatureLine => ({ ...line, anomaly: { message, calls: [call], feature: name } });
    if (makers.has(call)) return broken(`Call ${call.number} was carried out more than once.`);
    makers.add(call);

    const { state, number, ...earlier } = timeline.last.value;
    // A feature that is created where another one was has events of its own.
    const { eventsBefore, eventCount } =
      state === undefined ? { eventsBefore: earlier.eventsBefore + earlier.eventCount, eventCount: 0 } : earlier;
    const chosen = chosenBy(call, commit, name);
    const actual = commit.map(foretellable);
    const steps = defaultStrategies(call).map((defaultStrategy) =>
      modelStep(state, name, call.request, { facts, defaultStrategy }, chosen),
    );
    const right = steps.find((each) => 'after' in each && isDeepStrictEqual(each.events, actual));
    if (right === undefined || !('after' in right)) {
      const [foretold] = steps;
      const expected = foretold !== undefined && 'after' in foretold ? foretold.events : [];
      return broken(
        `The events of call ${call.number} are not what it does to the feature as it was then ` +
          `(+ what there is, - what there should be):\n${difference(actual, expected)}`,
      );
    }
    const after = { state: right.after, eventsBefore, eventCount: eventCount + commit.length, number: number + 1 };
    timeline.add(after, call);
  }
  const reversed = timeline.reversed();
  if (reversed === undefined) return line;
  const [earlier, later] = reversed;
  const message = `Call ${earlier.number} was answered before call ${later.number} began, but changed the feature after it.`;
  return { ...line, anomaly: { message, calls: [...reversed], feature: name } };
}

/** Splits the events into runs of one call each. */
function commitsIn(events: readonly Event[], authors: Authors): [AnsweredCall, Event[]][] {
  const commits: [AnsweredCall, Event[]][] = [];
  for (const event of events) {
    const maker = authors.makerOf(event);
    if (maker === undefined) continue;
    const current = commits.at(-1);
    if (current?.[0] === maker) current[1].push(event);
    else commits.push([maker, [event]]);
  }
  return commits;
}

function chosenBy({ answer, request }: AnsweredCall, events: readonly Event[], name: string): Chosen {
  const eventOf = (type: Event['type']) => events.find((event) => event.type === type);
  const dataOf = (type: Event['type']): Record<string, unknown> => eventOf(type)?.data ?? {};
  const creation = eventOf('feature-created');
  return {
    at: events[0]?.createdAt ?? '',
    plan: eventOf('release-plan-added')?.data as unknown as PlanIds | undefined,
    createdAt: dataOf('feature-created').createdAt as string | undefined,
    ...(creation && { createdBy: { id: creation.createdByUserId ?? 0, name: creation.createdBy } }),
    archivedAt:
      (dataOf('feature-metadata-updated').archivedAt as string | null) ?? eventOf('feature-archived')?.createdAt,
    revivedAt:
      request.kind === 'update' ? answer.body?.lifecycle?.enteredStageAt : eventOf('feature-revived')?.createdAt,
    switchedOff: events.flatMap(({ type, environment }) =>
      type === 'feature-environment-disabled' ? [environment] : [],
    ),
    ...(request.kind === 'clone' && creation && { takenOver: toldBy(events, name) }),
    strategyIds: events.flatMap(({ type, data }) => (type === 'feature-strategy-add' ? [data?.id as string] : [])),
  };
}

function foretellable({
  id: _id,
  createdAt: _at,
  createdBy: _by,
  createdByUserId: _user,
  ...rest
}: Event): ForetoldEvent {
  return { ...rest, data: withoutPast(rest.data), preData: withoutPast(rest.preData) };
}

const past: ReadonlySet<string> = new Set(['index', 'sortOrders', 'tags', 'dependencies', 'links', 'environments']);

/** Returns the content of an event without what only time travel reads, which has a proof of its own: `prove:history`. */
function withoutPast(content: Event['data']): Event['data'] {
  if (content === null) return null;
  return Object.fromEntries(Object.entries(content).filter(([property]) => !past.has(property)));
}
