import { deepEqual, equal, notEqual } from 'node:assert/strict';
import { isImported } from '../../lib/events/event.ts';
import type { StoredEvent } from '../harness/items.ts';
import { type FollowedPlan, followPlan, planInReply, type StoredPlan } from './plans.ts';

type Fields = Readonly<Record<string, unknown>>;

interface EnvironmentState {
  readonly enabled: boolean;
  /** Strategies by id, without the properties that events do not show. */
  readonly strategies: ReadonlyMap<string, Fields>;
  readonly variants: unknown;
  /** Undefined without a release plan. */
  readonly plan: FollowedPlan | undefined;
}

/** State of a feature according to its events. */
export interface ReplayedFeature {
  readonly fields: Fields;
  readonly tags: readonly Fields[];
  readonly environments: ReadonlyMap<string, EnvironmentState>;
  readonly dependencies: readonly Fields[];
}

/** A feature as the event of its migration has it. */
interface WholeFeature extends Fields {
  readonly tags: readonly Fields[];
  readonly dependencies: readonly Fields[];
  readonly environments: Readonly<
    Record<
      string,
      {
        readonly enabled: boolean;
        readonly variants: unknown;
        readonly strategies: readonly Fields[];
        readonly releasePlans?: readonly StoredPlan[];
      }
    >
  >;
}

export const initialState: EnvironmentState = { enabled: false, strategies: new Map(), variants: [], plan: undefined };

/**
 * Returns the content of a strategy in events: its place is followed by the proof of time travel, and its feature is that of the event.
 */
export function inEvents({
  sortOrder: _sortOrder,
  index: _index,
  milestoneId: _milestoneId,
  featureName: _featureName,
  ...strategy
}: Fields): Fields {
  return strategy;
}

/**
 * Goes through the events of a feature, from its creation on, or from its migration: what happened elsewhere before that
 * is told, and not followed. An event without a rule here changes nothing of what is followed: if it does, the feature that
 * comes out is not the one that is stored.
 * @throws AssertionError for an event that does not follow from those before it.
 */
export function replayedFeature(events: readonly StoredEvent[]): ReplayedFeature {
  const [first, ...rest] = events.filter((event) => !isImported(event));
  const begins = ['feature-created', 'feature-import'];
  equal(begins.includes(first?.type ?? ''), true, 'the first event is no creation');
  const nothing = { fields: first?.data ?? {}, tags: [], environments: new Map(), dependencies: [] };
  const created = first?.type === 'feature-import' ? follow(nothing, first) : nothing;
  return rest.reduce((feature, event) => {
    const after = follow(feature, event);
    deepEqual(event.tags, after.tags, `a ${event.type} event has other tags than its feature`);
    return after;
  }, created as ReplayedFeature);
}

function follow(feature: ReplayedFeature, event: StoredEvent): ReplayedFeature {
  const { fields, tags } = feature;
  const data = event.data ?? {};
  const preData = event.preData ?? {};
  switch (event.type) {
    case 'feature-import': {
      const { tags: all, dependencies, environments, links: _links, ...own } = data as unknown as WholeFeature;
      const states = Object.entries(environments).map(
        ([name, { strategies, enabled, variants, releasePlans = [] }]) => {
          const [plan] = releasePlans;
          const byId = strategies.map((strategy) => [String(strategy.id), inEvents(strategy)] as const);
          return [name, { enabled, variants, strategies: new Map(byId), plan: plan && planInReply(plan) }] as const;
        },
      );
      return { fields: own, tags: all, dependencies, environments: new Map(states) };
    }
    case 'feature-metadata-updated':
      deepEqual(preData, fields, 'the chain of metadata is broken');
      return { ...feature, fields: data };
    // An update tells of these in an event of the fields as well, which comes before.
    case 'feature-stale-on':
    case 'feature-stale-off':
      return { ...feature, fields: { ...fields, stale: event.type === 'feature-stale-on' } };
    case 'feature-archived':
    case 'feature-revived': {
      const archived = event.type === 'feature-archived';
      if (fields.archived === archived) return feature;
      return { ...feature, fields: { ...fields, archived, archivedAt: archived ? event.createdAt : null } };
    }
    case 'feature-project-change':
      equal(fields.project, data.oldProject, 'it was moved from another project');
      return { ...feature, fields: { ...fields, project: data.newProject } };
    case 'feature-tagged':
      equal(
        tags.some((tag) => isTag(tag, data)),
        false,
        'a tag was added twice',
      );
      return { ...feature, tags: [...tags, { type: data.type, value: data.value }] };
    case 'feature-untagged':
      equal(
        tags.some((tag) => isTag(tag, preData)),
        true,
        'a tag was removed twice',
      );
      return { ...feature, tags: tags.filter((tag) => !isTag(tag, preData)) };
    case 'feature-dependency-added':
      return {
        ...feature,
        dependencies: [...feature.dependencies.filter(({ feature: parent }) => parent !== data.feature), data],
      };
    case 'feature-dependency-removed': {
      const { feature: removed } = event.data ?? preData;
      return { ...feature, dependencies: feature.dependencies.filter(({ feature: parent }) => parent !== removed) };
    }
    case 'feature-dependencies-removed':
      return { ...feature, dependencies: [] };
    default:
      return event.environment === null ? feature : inEnvironment(feature, event, event.environment);
  }
}

const isTag = (a: Fields, b: Fields) => a.type === b.type && a.value === b.value;

function inEnvironment(feature: ReplayedFeature, event: StoredEvent, name: string): ReplayedFeature {
  const { type, data, preData } = event;
  const before = feature.environments.get(name) ?? initialState;
  const followed = followPlan(before, event);
  const after = followed ? { ...before, ...followed } : followIn(before, type, data ?? {}, preData ?? {});
  return { ...feature, environments: new Map(feature.environments).set(name, after) };
}

function followIn(state: EnvironmentState, type: string, data: Fields, preData: Fields): EnvironmentState {
  const { enabled, strategies, variants } = state;
  switch (type) {
    case 'feature-environment-enabled':
    case 'feature-environment-disabled':
      notEqual(enabled, type === 'feature-environment-enabled', `a ${type} event came twice`);
      return { ...state, enabled: !enabled };
    case 'feature-strategy-add':
      equal(strategies.has(String(data.id)), false, 'a strategy was added twice');
      return { ...state, strategies: new Map(strategies).set(String(data.id), inEvents(data)) };
    case 'feature-strategy-update':
      deepEqual(inEvents(preData), strategies.get(String(preData.id)), 'a strategy was updated that was another');
      return { ...state, strategies: new Map(strategies).set(String(data.id), inEvents(data)) };
    case 'feature-strategy-remove':
      deepEqual(inEvents(preData), strategies.get(String(preData.id)), 'a strategy was removed that was another');
      return { ...state, strategies: new Map([...strategies].filter(([id]) => id !== preData.id)) };
    case 'feature-environment-variants-updated':
      deepEqual(preData.variants, variants, 'the chain of variants is broken');
      return { ...state, variants: data.variants };
    default:
      return state;
  }
}
