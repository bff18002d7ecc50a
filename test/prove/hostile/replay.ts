import { isDeepStrictEqual } from 'node:util';
import type { Event } from '../../../lib/schemas/event.ts';

interface ReplayedEnvironment {
  enabled: boolean;
  ids: Set<string>;
  variants: unknown;
}

/** What the events of a feature tell that it is. */
export interface Replay {
  flag: unknown;
  readonly tags: Set<string>;
  readonly environments: Map<string, ReplayedEnvironment>;
  /** Where an event does not follow from those before it. */
  readonly breaks: string[];
}

// biome-ignore lint/suspicious/noExplicitAny: what an event's data are depends on its type.
type Data = any;

/** Goes through the events of a feature in their order, each of which has to continue what was before it. */
export function replayed(events: readonly Event[]): Replay {
  const replay: Replay = { flag: undefined, tags: new Set(), environments: new Map(), breaks: [] };
  for (const event of events) {
    const follows = steps[event.type]?.(replay, event, environmentOf(replay, event)) ?? true;
    if (!follows) replay.breaks.push(`the event ${event.id}, ${event.type}, does not follow from those before it.`);
  }
  return replay;
}

function environmentOf({ environments }: Replay, { environment }: Event): ReplayedEnvironment {
  const fresh = { enabled: false, ids: new Set<string>(), variants: [] };
  if (environment === null) return fresh;
  const state = environments.get(environment) ?? fresh;
  environments.set(environment, state);
  return state;
}

type Step = (replay: Replay, event: Omit<Event, 'data' | 'preData'> & Data, state: ReplayedEnvironment) => boolean;

const tagIn = ({ type, value }: Data) => `${type}:${value}`;

/** Adds to a set what was not in it. */
function added(set: Set<string>, value: string): boolean {
  return !set.has(value) && set.add(value).has(value);
}

function switchedTo(enabled: boolean): Step {
  return (_replay, _event, state) => {
    const follows = state.enabled !== enabled;
    state.enabled = enabled;
    return follows;
  };
}

/** What each type of event changes; whether it could. */
const steps: Partial<Record<Event['type'], Step>> = {
  'feature-created': (replay, { data }) => {
    const follows = replay.flag === undefined;
    replay.flag = data;
    return follows;
  },
  'feature-metadata-updated': (replay, { data, preData }) => {
    const follows = isDeepStrictEqual(preData, replay.flag);
    replay.flag = data;
    return follows;
  },
  'feature-tagged': ({ tags }, { data }) => added(tags, tagIn(data)),
  'feature-untagged': ({ tags }, { preData }) => tags.delete(tagIn(preData)),
  'feature-strategy-add': (_replay, { data }, { ids }) => added(ids, data.id),
  'feature-strategy-remove': (_replay, { preData }, { ids }) => ids.delete(preData.id),
  'strategy-order-changed': (_replay, { data }, { ids }) => isDeepStrictEqual(new Set(data.strategyIds), ids),
  'feature-environment-enabled': switchedTo(true),
  'feature-environment-disabled': switchedTo(false),
  'feature-environment-variants-updated': (_replay, { data, preData }, state) => {
    const follows = isDeepStrictEqual(preData.variants, state.variants);
    state.variants = data.variants;
    return follows;
  },
};
