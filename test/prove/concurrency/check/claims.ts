import { isDeepStrictEqual } from 'node:util';
import type { Event } from '../../../../lib/schemas/event.ts';
import { type Call, type Facts, featuresNamed, outcomeOf, type Request } from '../history.ts';
import { environmentOf, type FeatureState, fullView, listedView } from '../model/feature.ts';
import { step } from '../model/step.ts';
import type { DefaultStrategies, FeatureLine, FeatureVersion } from './feature-line.ts';

export type Explains = (version: FeatureVersion) => boolean;

/** What is known of a call besides its feature. */
export interface Knowledge {
  readonly facts: Facts;
  readonly defaultStrategies: DefaultStrategies;
  /** Whether it was carried out for certain, by its answer or by what it left. */
  readonly happened: (call: Call) => boolean;
}

/** What must have been true of a feature for a call that did not change it; undefined where it says nothing of it. */
export function claimOf(call: Call, line: FeatureLine, project: string, known: Knowledge): Explains | undefined {
  const { request } = call;
  const { name } = line;
  if (request.kind === 'read archive') return request.project === project ? archiveClaim(call, name) : undefined;
  if (!featuresNamed(request).includes(name)) return undefined;
  if (outcomeOf(call) === 'refused') return refusalClaim(call, name, known);
  if (!known.happened(call)) return undefined;
  if (request.kind === 'read variants') return variantsClaim(call, request);
  if (request.kind === 'read events') return eventsClaim(call, request, line.events);
  return (version) =>
    isWanted(call, version) && changesNothing(call, name, version.state, known) && answers(call, version, known.facts);
}

/** Whether a change is bound to another version than that which it finds. */
export function isWanted({ ifMatch }: Call, found: Pick<FeatureVersion, 'number'>): boolean {
  return ifMatch === undefined || ifMatch === found.number;
}

const tagged: readonly Request['kind'][] = ['update', 'create', 'variants', 'add strategy', 'add tag', 'read variants'];

/** Whether the answer to a change that was carried out is what the feature is after it. */
export function answers({ request, answer }: Call, { state, number }: FeatureVersion, facts: Facts): boolean {
  const { body, text, version } = answer;
  if (request.kind === 'delete') return state === undefined && text === '';
  if (state === undefined || (tagged.includes(request.kind) && version !== number)) return false;
  switch (request.kind) {
    case 'update':
    case 'create':
      return isDeepStrictEqual(body, fullView(state, facts, body));
    case 'variants':
      return isDeepStrictEqual(body, { version: 1, variants: environmentOf(state, request.environment).variants });
    case 'add strategy': {
      const { strategies } = environmentOf(state, request.environment);
      return strategies.some((strategy) => isDeepStrictEqual(strategy, body));
    }
    case 'add tag':
      return isDeepStrictEqual(body, request.tag);
    default:
      return text === '';
  }
}

function changesNothing(call: Call, name: string, state: FeatureState | undefined, known: Knowledge): boolean {
  return known.defaultStrategies(call).some((defaultStrategy) => {
    const result = step(state, name, call.request, { facts: known.facts, defaultStrategy }, { strategyIds: [] });
    return 'events' in result && result.events.length === 0;
  });
}

/** A refusal names what it is about: that feature must have given the reason, and those before it must not. */
function refusalClaim(call: Call, name: string, { facts }: Knowledge): Explains | undefined {
  const { request, answer } = call;
  const surroundings = { facts, defaultStrategy: undefined };
  const isRefused = (state: FeatureState | undefined, status: number) => {
    const result = step(state, name, request, surroundings, { strategyIds: [] });
    return 'refused' in result && result.refused === status;
  };
  // A request that is refused anyway is refused for that reason (RFC 9110, section 13.2.1).
  if (answer.status === 412) {
    return (version) => !isWanted(call, version) && ![400, 404, 409].some((status) => isRefused(version.state, status));
  }
  const names = featuresNamed(request);
  const blamed = names.filter((each) => blames(call, each));
  if (blamed.length === 0 && !isLimit(call)) return undefined;
  const isBlamed = blamed.includes(name) || isLimit(call);
  const cameLater = request.kind === 'bulk off' && names.indexOf(name) > names.indexOf(blamed[0] ?? '');
  if (!isBlamed && cameLater) return undefined;
  return (version) => {
    if (request.kind === 'read variants') return version.state === undefined;
    return isRefused(version.state, answer.status) === isBlamed;
  };
}

/** Whether a refusal names a feature. */
export function blames({ answer }: Call, feature: string): boolean {
  const details: readonly { message: string }[] = answer.body?.details ?? [];
  return details.some(({ message }) => message.includes(`"${feature}"`));
}

export function isLimit({ request, answer }: Call): boolean {
  return request.kind === 'add strategy' && answer.status === 400;
}

function variantsClaim({ answer }: Call, { environment }: Extract<Request, { kind: 'read variants' }>): Explains {
  return ({ state, number }) =>
    state !== undefined &&
    answer.version === number &&
    isDeepStrictEqual(answer.body, { version: 1, variants: environmentOf(state, environment).variants });
}

function eventsClaim(
  { answer }: Call,
  { feature, limit }: Extract<Request, { kind: 'read events' }>,
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

function archiveClaim({ answer }: Call, name: string): Explains | undefined {
  if (answer.status !== 200) return undefined;
  const listed = answer.body.features.find((feature: { name: string }) => feature.name === name);
  return ({ state }) => {
    if (state === undefined || state.archivedAt === null) return listed === undefined;
    return listed !== undefined && isDeepStrictEqual(listed, listedView(state, listed));
  };
}
