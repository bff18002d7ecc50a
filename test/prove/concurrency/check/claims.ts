import { isDeepStrictEqual } from 'node:util';
import type { Event } from '../../../../lib/events/event-schema.ts';
import { viewPlan } from '../../../../lib/features/plans/view-plan.ts';
import {
  type AnsweredCall,
  type ClientRequest,
  type Facts,
  featuresNamed,
  outcomeOf,
  partsNamed,
  type RequestOf,
} from '../history.ts';
import { type CloneRequest, isSameCopy, takenOver } from '../model/clone.ts';
import { archivedView, environmentOf, type FeatureState, fullView, withoutFeatureName } from '../model/feature.ts';
import { planKinds } from '../model/plans.ts';
import { modelStep } from '../model/step.ts';
import type { DefaultStrategies, FeatureLine, FeatureVersion } from './feature-line.ts';

export type Explains = (version: FeatureVersion) => boolean;

/** Knowledge about a call besides its feature. */
export interface Knowledge {
  readonly facts: Facts;
  readonly defaultStrategies: DefaultStrategies;
  /** Tells whether a call was certainly carried out, by its answer or by its traces. */
  readonly happened: (call: AnsweredCall) => boolean;
  /** Returns the state of a clone when it was made, if known. */
  readonly madeBy: (call: AnsweredCall) => FeatureState | undefined;
}

/**
 * Returns the condition that a feature must have met for a call that did not change it; undefined if the call implies
 * none.
 */
export function claimOf(call: AnsweredCall, line: FeatureLine, known: Knowledge): Explains | undefined {
  const { request } = call;
  const { name } = line;
  if (request.kind === 'read archive') return archiveClaim(call, request, name);
  if (!featuresNamed(request).includes(name)) return undefined;
  if (outcomeOf(call) === 'refused') return refusalClaim(call, name, known);
  if (!known.happened(call)) return undefined;
  // It has failed for some features, and nobody knows for which.
  if (request.kind === 'clock' && outcomeOf(call) === 'unknown') return undefined;
  if (request.kind === 'clone' && request.name !== name) return sourceClaim(request, known.madeBy(call));
  if (request.kind === 'read variants') return variantsClaim(call, request);
  if (request.kind === 'read events') return eventsClaim(call, request, line.events);
  return (version) =>
    isWanted(call, version) && changesNothing(call, name, version.state, known) && answers(call, version, known.facts);
}

/** Tells whether a change accepts the version that it finds. */
export function isWanted({ ifMatch }: AnsweredCall, found: Pick<FeatureVersion, 'number'>): boolean {
  return ifMatch === undefined || ifMatch === found.number;
}

const tagged: readonly ClientRequest['kind'][] = [
  ...(['update', 'create', 'clone', 'variants', 'add tag', 'read variants'] as const),
  ...(['add strategy', 'update strategy', 'patch strategy', 'delete strategy', 'order strategies'] as const),
  ...(['on', 'off', ...planKinds] as const),
];

/** Tells whether the answer to a completed change shows the feature as it is after it. */
export function answers({ request, answer }: AnsweredCall, { state, number }: FeatureVersion, facts: Facts): boolean {
  const { body, text, version } = answer;
  if (request.kind === 'delete') return state === undefined && text === '';
  if (request.kind === 'clock') return text === '';
  if (state === undefined || (tagged.includes(request.kind) && version !== number)) return false;
  switch (request.kind) {
    case 'update':
    case 'create':
    case 'clone':
      return isDeepStrictEqual(body, fullView(state, facts, body));
    case 'variants':
      return isDeepStrictEqual(body, { version: 1, variants: environmentOf(state, request.environment).variants });
    case 'add strategy':
    case 'update strategy':
    case 'patch strategy': {
      const { strategies } = environmentOf(state, request.environment);
      // Only the answer to an addition names the feature, as on Unleash.
      const shown = request.kind === 'add strategy' ? strategies : strategies.map(withoutFeatureName);
      return shown.some((strategy) => isDeepStrictEqual(strategy, body));
    }
    case 'add tag':
      return isDeepStrictEqual(body, request.tag);
    case 'on':
    case 'off':
      return isDeepStrictEqual(body, {});
    case 'add plan':
    case 'start milestone':
    case 'pause plan':
    case 'resume plan':
    case 'time milestone':
    case 'untime milestone': {
      const { feature, environment } = request;
      const { plan, nextAt } = environmentOf(state, environment);
      return plan !== undefined && isDeepStrictEqual(body, viewPlan(plan, { feature, environment }, nextAt));
    }
    default:
      return text === '';
  }
}

function changesNothing(call: AnsweredCall, name: string, state: FeatureState | undefined, known: Knowledge): boolean {
  return known.defaultStrategies(call).some((defaultStrategy) => {
    const chosen = { at: dated(call.endedAt), strategyIds: [] };
    const result = modelStep(state, name, call.request, { facts: known.facts, defaultStrategy }, chosen);
    return 'events' in result && result.events.length === 0;
  });
}

/**
 * Returns the claim of a refusal, which names its subject: that feature must have given the reason, and those before it
 * must not.
 */
function refusalClaim(call: AnsweredCall, name: string, { facts }: Knowledge): Explains | undefined {
  const { request, answer } = call;
  const surroundings = { facts, defaultStrategy: undefined };
  // A time of a plan can become too short during a call, and never long enough again.
  const isRefused = (state: FeatureState | undefined, status: number, at = call.endedAt) => {
    const result = modelStep(state, name, request, surroundings, { at: dated(at), strategyIds: [] });
    return 'refused' in result && result.refused === status;
  };
  // A request that is refused anyway is refused for that reason (RFC 9110, section 13.2.1).
  if (answer.status === 412) {
    return (version) =>
      !isWanted(call, version) && ![400, 404, 409].some((status) => isRefused(version.state, status, call.beganAt));
  }
  const names = featuresNamed(request);
  const blamed = names.filter((each) => blames(call, each));
  if (blamed.length === 0 && !isLimit(call)) return undefined;
  const isBlamed = blamed.includes(name) || isLimit(call);
  const cameLater = request.kind === 'bulk off' && names.indexOf(name) > names.indexOf(blamed[0] ?? '');
  if (!isBlamed && cameLater) return undefined;
  return (version) => {
    if (request.kind === 'read variants') return version.state?.project !== request.project;
    return isRefused(version.state, answer.status) === isBlamed;
  };
}

/** Tells whether a refusal names a feature, or a strategy of it. */
export function blames({ answer, request }: AnsweredCall, feature: string): boolean {
  const details: readonly { message: string }[] = answer.body?.details ?? [];
  const names = [feature, ...partsNamed(request)];
  return details.some(({ message }) => names.some((name) => message.includes(`"${name}"`)));
}

/** Tells whether a refusal is for a reason that lies in the feature, although it does not name it. */
export function isLimit({ request, answer }: AnsweredCall): boolean {
  return (request.kind === 'add strategy' || request.kind === 'time milestone') && answer.status === 400;
}

function dated(time: number): string {
  return new Date(time).toISOString();
}

/**
 * Returns the claim of a clone about its source: at one moment of the call it was what the clone has taken over; its
 * project may have changed since.
 */
function sourceClaim(request: CloneRequest, clone: FeatureState | undefined): Explains | undefined {
  if (clone === undefined) return undefined;
  return ({ state }) =>
    state !== undefined &&
    state.project === request.project &&
    state.archivedAt === null &&
    isSameCopy(takenOver(state, request), clone);
}

function variantsClaim({ answer }: AnsweredCall, { project, environment }: RequestOf<'read variants'>): Explains {
  return ({ state, number }) =>
    state?.project === project &&
    answer.version === number &&
    isDeepStrictEqual(answer.body, { version: 1, variants: environmentOf(state, environment).variants });
}

function eventsClaim(
  { answer }: AnsweredCall,
  { feature, limit }: RequestOf<'read events'>,
  all: readonly Event[],
): Explains {
  return ({ eventsBefore, eventCount }) => {
    // Comparing takes long, and the count alone rules most of them out.
    if (answer.body.totalEvents !== eventCount) return false;
    const events = all
      .slice(eventsBefore, eventsBefore + eventCount)
      .toReversed()
      .slice(0, limit);
    return isDeepStrictEqual(answer.body, { version: 1, toggleName: feature, events, totalEvents: eventCount });
  };
}

function archiveClaim(
  { answer }: AnsweredCall,
  { project }: RequestOf<'read archive'>,
  name: string,
): Explains | undefined {
  if (answer.status !== 200) return undefined;
  const listed = answer.body.features.find((feature: { name: string }) => feature.name === name);
  return ({ state }) => {
    if (state?.project !== project || state.archivedAt === null) return listed === undefined;
    return listed !== undefined && isDeepStrictEqual(listed, archivedView(state, listed));
  };
}
