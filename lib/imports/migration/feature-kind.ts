import { isDeepStrictEqual } from 'node:util';
import { invalid } from '../../errors.ts';
import type { NewEvent } from '../../events/event.ts';
import type { Event } from '../../events/event-schema.ts';
import type { Feature } from '../../features/feature.ts';
import { featureMigrated } from '../../features/feature-events.ts';
import { loadFeature, loadHeadsAndTombstones } from '../../features/feature-store.ts';
import type { StoredFeature, Tombstone } from '../../features/items/feature-items.ts';
import { buildFeatureWrites, type FeatureChange } from '../../features/items/feature-writes.ts';
import { lifeOf } from '../../features/lifecycle/lifecycle.ts';
import { assertFewStepsOf } from '../../features/strategies/assert-few-steps.ts';
import type { Strategy } from '../../features/strategies/strategy-schema.ts';
import * as useKeys from '../../features/use/keys.ts';
import {
  type LastSeen,
  type LastSeenOf,
  latestOf,
  loadLastSeenOfProjects,
  loadLastUses,
} from '../../features/use/last-seen.ts';
import { readProjectFeaturesLimit } from '../../limits.ts';
import { loadAllProjects, type Project } from '../../projects/projects.ts';
import { fullAccess } from '../../request.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { strategyTypes } from '../../strategy-types/strategy-types.ts';
import { tagTypes } from '../../tags/tags.ts';
import type { JsonObject } from '../../values/json.ts';
import { chunksOf } from '../../values/lists.ts';
import { convertFeature } from './convert-feature.ts';
import { historyOf, historySteps, historyWrites, type ImportedEvent, type ServerHistory } from './history.ts';
import { Decisions, type KindDecision, type MigrationStep, type ServerKind, type ServerMigration } from './plan.ts';
import { hasReleasePlan } from './source.ts';
import type { SourceFeature } from './source-copy.ts';

/** Flags that are read and decided on together. */
const chunkSize = 100;
/** Events of the past that one change of a flag brings along; more of them come before it. */
export const eventsAtOnce = 50;

export const featureKind: ServerKind = {
  title: 'flags',
  decisions: async function* (migration) {
    const { copy } = migration.source;
    const facts = await factsOf(migration);
    const [single, children]: [string[], string[]] = [[], []];
    for (const { name, content } of copy.features()) (hasParent(content) ? children : single).push(name);
    // Parents first. Of a flag with many new events, some wait for another time.
    for (const some of [single, children]) {
      for (let open = some; open.length > 0; ) {
        const late: string[] = [];
        for (const chunk of chunksOf(open, chunkSize)) {
          yield () => decideChunk(migration, chunk, facts, (name) => late.push(name));
        }
        open = migration.isWriting ? [...new Set(late)] : [];
      }
    }
    yield () => decideProjectUse(migration, facts.moved);
  },
};

/** Facts about a flag that can be here, for those that depend on it and for its project. */
interface Moved extends Pick<Feature, 'project' | 'archivedAt'> {
  readonly hasParent: boolean;
  /** Time of its last use. */
  readonly seenAt: string | null;
}

/** Facts that all flags are decided on. */
interface Facts {
  readonly history: ServerHistory;
  readonly projects: ReadonlyMap<string, Project>;
  /** Names of strategy types and tag types. */
  readonly types: ReadonlySet<string>;
  readonly tags: ReadonlySet<string>;
  readonly lastSeenOf: LastSeenOf;
  /** The flags that can be here, as far as they were looked at. */
  readonly moved: Map<string, Moved>;
  readonly room: { take(feature: Feature): void };
}

const hasParent = ({ dependencies }: JsonObject) => Array.isArray(dependencies) && dependencies.length > 0;

async function factsOf(migration: ServerMigration): Promise<Facts> {
  const { request, target } = migration;
  const namesOf = async (kind: typeof strategyTypes | typeof tagTypes) => {
    const all = (await kind.listVersioned(request)) as Versioned<{ readonly name: string }>[];
    const named = all.map((each) => [each.value.name, each] as const);
    return new Set(target.withPlanned(kind.kind, named).keys());
  };
  const stored = (await loadAllProjects(request)).map((each) => [each.value.id, each] as const);
  const projects = new Map([...target.withPlanned('project', stored)].map(([id, { value }]) => [id, value]));
  return {
    ...{ projects, moved: new Map(), room: roomCounter() },
    history: await historyOf(migration),
    types: await namesOf(strategyTypes),
    tags: await namesOf(tagTypes),
    lastSeenOf: await loadLastSeenOfProjects(request, [...projects.keys()]),
  };
}

/** Returns a flag as it is to be here, with the times of its last use. @throws ApiError 400 where it cannot be here. */
function movable(sent: SourceFeature, migration: ServerMigration, facts: Facts): ReturnType<typeof convertFeature> {
  const { projects, types, tags, moved, room } = facts;
  if (!projects.has(sent.project)) throw invalid(`Its project "${sent.project.slice(0, 100)}" does not come over.`);
  const found = convertFeature(sent, migration, types);
  const { feature, seen } = found;
  const tag = feature.tags.find(({ type }) => !tags.has(type));
  if (tag !== undefined) throw invalid(`Its tag type "${tag.type}" does not come over.`);
  for (const { feature: name } of feature.dependencies) {
    const parent = moved.get(name);
    if (parent === undefined) throw invalid(`Its parent "${name}" does not come over, or has a parent of its own.`);
    if (parent.archivedAt !== null || parent.project !== feature.project || parent.hasParent) {
      throw invalid(`Its parent "${name}" is archived, in another project or has a parent of its own.`);
    }
  }
  room.take(feature);
  const { project, archivedAt } = feature;
  moved.set(feature.name, { project, archivedAt, hasParent: feature.dependencies.length > 0, seenAt: latestOf(seen) });
  return found;
}

/** Counts the flags of each project, of which there may be only so many. */
function roomCounter(): Facts['room'] {
  const max = readProjectFeaturesLimit();
  const namesOf = new Map<string, Set<string>>();
  return {
    take({ project, name }) {
      const names = namesOf.get(project) ?? new Set();
      if (names.size >= max && !names.has(name)) {
        throw invalid(`A project has at most ${max} flags (PROJECT_FEATURES_LIMIT).`);
      }
      namesOf.set(project, names.add(name));
    },
  };
}

async function decideChunk(
  migration: ServerMigration,
  names: readonly string[],
  facts: Facts,
  onLate: (name: string) => void,
): Promise<KindDecision> {
  const { request, source } = migration;
  const { history, projects, lastSeenOf } = facts;
  const found = await Promise.all(names.map((name) => loadFeature(request, name)));
  const absent = names.filter((_, index) => found[index] === undefined);
  const { tombstones } = await loadHeadsAndTombstones(request, absent);
  const decisions = new Decisions();
  for (const [index, name] of names.entries()) {
    const sent = source.copy.feature(name) as SourceFeature;
    await decisions.decide(name, () => {
      const { feature, seen } = movable(sent, migration, facts);
      const imported = history.ofFeature(name);
      const stored = found[index];
      assertFewStepsOf(stored?.feature, feature);
      const own =
        stored === undefined
          ? creation(feature, imported, tombstones.get(name))
          : update(stored, feature, imported, projects, () => onLate(name));
      if (own.length === 0) decisions.left.push(name);
      decisions.steps.push(...own, ...lastUse(feature, seen, lastSeenOf(feature)));
      if (hasReleasePlan(sent.content)) decisions.remarks.push({ name, reason: withoutPlan });
    });
  }
  return decisions;
}

const withoutPlan = 'without its release plan: it keeps the strategies that it has at this moment';

/** Returns the step that notes when a flag was last evaluated there, where that is later than here. */
function lastUse({ name, project }: Feature, there: LastSeen, here: LastSeen): MigrationStep[] {
  const later = [...there].filter(([environment, at]) => at > (here.get(environment) ?? ''));
  if (later.length === 0) return [];
  const writes = later.map(([environment, lastSeenAt]) => ({
    ...{ put: useKeys.featureSeen(project, name, environment), item: { lastSeenAt } },
  }));
  return [{ name: `the last use of ${name}`, writes, events: [] }];
}

/** Notes when any flag of each project was last evaluated. */
async function decideProjectUse({ request }: ServerMigration, moved: Facts['moved']): Promise<KindDecision> {
  const here = await loadLastUses(request);
  const last = new Map<string, string>();
  for (const { project, seenAt } of moved.values()) {
    if (seenAt !== null && seenAt > (last.get(project) ?? '')) last.set(project, seenAt);
  }
  const later = [...last].filter(([project, lastSeenAt]) => lastSeenAt > (here.get(project) ?? ''));
  return {
    steps: later.map(([project, lastSeenAt]) => ({
      ...{ name: `the last use in ${project}`, events: [] },
      writes: [{ put: useKeys.projectSeen(project), item: { lastSeenAt } }],
    })),
  };
}

/** Returns the steps that create a flag: its history first, then the flag with all that it has. */
function creation(
  after: Feature,
  imported: readonly ImportedEvent[],
  tombstone: Tombstone | undefined,
): MigrationStep[] {
  const { name } = after;
  // Ids rise for each name: events before the deletion of what had it here cannot follow on that.
  const events = imported.map(({ event }) => event).filter(({ id }) => id > (tombstone?.lastEventId ?? 0));
  const attributes = { importedEventId: imported.at(-1)?.sourceId ?? 0 };
  const change = { stored: undefined, tombstone, after, attributes };
  if (events.length === 0) return [featureStep('created', change, [featureMigrated(after, undefined)])];
  const { writes, past } = historyWrites(name, events, tombstone === undefined);
  return [
    ...historySteps(name, writes),
    featureStep('created', { ...change, past }, [featureMigrated(after, undefined)]),
  ];
}

/** Returns the step that brings a flag up to date, with the events that it has had since; none where it is the same. */
function update(
  stored: StoredFeature,
  moved: Feature,
  imported: readonly ImportedEvent[],
  projects: ReadonlyMap<string, Project>,
  onLate: () => void,
): MigrationStep[] {
  const { importedEventId } = stored.own;
  const { feature: before } = stored;
  if (importedEventId === undefined && before.project !== moved.project) {
    throw invalid(`A flag of its name is in the project "${before.project}" here.`);
  }
  const after = upToDate(before, moved);
  // What is here without a migration has a history of its own.
  const since = importedEventId === undefined ? [] : imported.filter(({ sourceId }) => sourceId > importedEventId);
  if (after === before && since.length === 0) return [];
  if (after !== before && projects.get(before.project)?.archivedAt) throw invalid('Its project is archived here.');
  const some = since.slice(0, eventsAtOnce);
  const isLast = some.length === since.length;
  if (!isLast) onLate();
  const attributes = { importedEventId: some.at(-1)?.sourceId ?? importedEventId ?? 0 };
  const change = { stored, attributes, after: isLast ? after : before };
  const events = isLast && after !== before ? [featureMigrated(after, before)] : [];
  return [featureStep('changed', change, events, some)];
}

/** Returns the step that changes a flag, with events of the past before those of the change. */
export function featureStep(
  outcome: 'created' | 'changed',
  change: Omit<FeatureChange, 'events'>,
  events: readonly NewEvent[],
  imported: readonly ImportedEvent[] = [],
): MigrationStep {
  const { name } = change.after;
  return {
    name,
    outcome,
    writes: [],
    flag: { schedules: change.stored?.own.schedules, after: change.after },
    lastEventId: (change.stored?.revision ?? change.tombstone)?.lastEventId,
    // Those of the past take ids here as new ones do, so that the ids of a flag rise.
    events: [...imported.map(({ event: { type } }) => ({ type, featureName: name })), ...events],
    record: (stamped) => {
      const all = stamped.map((own, index): Event => ({ ...own, ...imported[index]?.event, id: own.id }));
      // A migration is run by who runs the service, and needs no approval.
      return buildFeatureWrites(fullAccess, change, all);
    },
  };
}

/** Returns the flag as it is to be, each part that is the same being the one that it had. */
function upToDate(before: Feature, moved: Feature): Feature {
  const environments = new Map(before.environments);
  for (const [name, state] of moved.environments) {
    const old = environments.get(name);
    const strategies = same(old?.strategies, state.strategies, withOrderedSegments);
    const variants = same(old?.variants, state.variants);
    const isSame = strategies === old?.strategies && variants === old.variants && state.enabled === old.enabled;
    const isNothing = old === undefined && !state.enabled && strategies.length + variants.length === 0;
    if (!isSame && !isNothing) environments.set(name, { ...state, strategies, variants });
  }
  const life = grown(before, moved);
  const after: Feature = {
    ...moved,
    ...life,
    createdAt: before.createdAt,
    createdBy: before.createdBy,
    children: before.children,
    tags: same(before.tags, moved.tags, ordered),
    dependencies: same(before.dependencies, moved.dependencies),
    links: same(before.links, moved.links, ordered),
    environments,
  };
  return isDeepStrictEqual(after, before) ? before : after;
}

/** Returns the stages of there, and those that the use of the flag has brought it to here. */
function grown(before: Feature, moved: Feature): Pick<Feature, 'stages' | 'lifecycle'> {
  const byUse = before.stages.filter(
    ({ stage }) => (stage === 'pre-live' || stage === 'live') && !moved.stages.some((each) => each.stage === stage),
  );
  const isSame = isDeepStrictEqual(before.stages, moved.stages);
  return isSame || byUse.length === 0 ? moved : lifeOf([...moved.stages, ...byUse]);
}

/** @param form returns a value without what servers say one way or the other, such as the order of a set. */
function same<T>(before: T | undefined, after: T, form: (value: T) => unknown = (value) => value): T {
  return before !== undefined && isDeepStrictEqual(form(before), form(after)) ? before : after;
}

const ordered = (things: readonly object[]) =>
  things.map((thing) => JSON.stringify(Object.entries(thing).toSorted())).toSorted();

const withOrderedSegments = (strategies: readonly Strategy[]) =>
  strategies.map((strategy) => ({ ...strategy, segments: strategy.segments.toSorted() }));
