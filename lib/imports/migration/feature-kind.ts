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
import type { ReleasePlan } from '../../features/plans/release-plan.ts';
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
import { releaseTemplates } from '../../release-plans/templates.ts';
import { fullAccess } from '../../request.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { strategyTypes } from '../../strategy-types/strategy-types.ts';
import { tagTypes } from '../../tags/tags.ts';
import { isJsonObject, type JsonObject, toList } from '../../values/json.ts';
import { chunksOf } from '../../values/lists.ts';
import { convertFeature } from './convert-feature.ts';
import {
  assignEventIds,
  buildHistorySteps,
  buildHistoryWrites,
  type ImportedEvent,
  type ServerHistory,
} from './history.ts';
import { Decisions, type KindDecision, type MigrationStep, type ServerKind, type ServerMigration } from './plan.ts';
import { hasPartialReleasePlan } from './source.ts';
import type { SourceFeature } from './source-copy.ts';

/** The number of flags that are decided together. */
const chunkSize = 100;
/** The most imported events of one change of a flag; further events come with later changes. */
export const eventsAtOnce = 50;

export const featureKind: ServerKind = {
  title: 'flags',
  decisions: async function* (migration) {
    const { copy } = migration.source;
    const facts = await loadFacts(migration);
    const [parents, children]: [string[], string[]] = [[], []];
    for (const { name, content } of copy.features()) (hasParent(content) ? children : parents).push(name);
    // Flags without a parent come first. A flag with many new events is decided several times.
    for (const group of [parents, children]) {
      for (let names = group; names.length > 0; ) {
        const unfinished = new Set<string>();
        for (const chunk of chunksOf(names, chunkSize)) {
          yield () => decideChunk(migration, chunk, facts, (name) => unfinished.add(name));
        }
        names = migration.isWriting ? [...unfinished] : [];
      }
    }
    yield () => decideProjectUse(migration, facts.accepted);
  },
};

/** The facts about an accepted flag that its children and its project need. */
interface AcceptedFlag extends Pick<Feature, 'project' | 'archivedAt'> {
  readonly hasParent: boolean;
  /** The time of its last use. */
  readonly seenAt: string | null;
}

/** The facts that all decisions need. */
interface Facts {
  readonly history: ServerHistory;
  readonly projects: ReadonlyMap<string, Project>;
  readonly strategyTypes: ReadonlySet<string>;
  readonly templates: ReadonlySet<string>;
  readonly tagTypes: ReadonlySet<string>;
  readonly lastSeenOf: LastSeenOf;
  /** The flags accepted so far. */
  readonly accepted: Map<string, AcceptedFlag>;
  readonly capacity: { take(feature: Feature): void };
}

const hasParent = ({ dependencies }: JsonObject) => Array.isArray(dependencies) && dependencies.length > 0;

async function loadFacts(migration: ServerMigration): Promise<Facts> {
  const { request, target } = migration;
  const listNames = async ({ kind, listVersioned }: typeof strategyTypes | typeof tagTypes) => {
    const stored = (await listVersioned(request)) as Versioned<{ readonly name: string }>[];
    const byName = stored.map((type) => [type.value.name, type] as const);
    return new Set(target.withPlanned(kind, byName).keys());
  };
  const stored = (await loadAllProjects(request)).map((project) => [project.value.id, project] as const);
  const projects = new Map([...target.withPlanned('project', stored)].map(([id, { value }]) => [id, value]));
  return {
    ...{ projects, accepted: new Map(), capacity: countCapacity() },
    history: await assignEventIds(migration),
    strategyTypes: await listNames(strategyTypes),
    templates: await listTemplates(migration),
    tagTypes: await listNames(tagTypes),
    lastSeenOf: await loadLastSeenOfProjects(request, [...projects.keys()]),
  };
}

/** Lists the ids of the release templates. */
async function listTemplates({ request, target }: ServerMigration): Promise<ReadonlySet<string>> {
  const stored = await releaseTemplates.listVersioned(request);
  const byId = stored.map((template) => [template.value.id, template] as const);
  return new Set(target.withPlanned(releaseTemplates.kind, byId).keys());
}

/** Converts a flag, with the times of its last use. @throws ApiError 400 for a flag that cannot be imported. */
function acceptFlag(sent: SourceFeature, migration: ServerMigration, facts: Facts): ReturnType<typeof convertFeature> {
  const { projects, accepted } = facts;
  if (!projects.has(sent.project)) throw invalid(`Its project "${sent.project.slice(0, 100)}" is not imported.`);
  const converted = convertFeature(sent, migration, facts);
  const { feature, seen } = converted;
  const tag = feature.tags.find(({ type }) => !facts.tagTypes.has(type));
  if (tag !== undefined) throw invalid(`Its tag type "${tag.type}" is not imported.`);
  for (const { feature: name } of feature.dependencies) {
    const parent = accepted.get(name);
    if (parent === undefined) throw invalid(`Its parent "${name}" is not imported, or has a parent of its own.`);
    if (parent.archivedAt !== null || parent.project !== feature.project || parent.hasParent) {
      throw invalid(`Its parent "${name}" is archived, in another project or has a parent of its own.`);
    }
  }
  facts.capacity.take(feature);
  const { project, archivedAt } = feature;
  accepted.set(feature.name, {
    project,
    archivedAt,
    hasParent: feature.dependencies.length > 0,
    seenAt: latestOf(seen),
  });
  return converted;
}

/** Counts the flags of each project up to its limit. */
function countCapacity(): Facts['capacity'] {
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
  onUnfinished: (name: string) => void,
): Promise<KindDecision> {
  const { request, source } = migration;
  const { history, projects, lastSeenOf } = facts;
  const storedFeatures = await Promise.all(names.map((name) => loadFeature(request, name)));
  const absent = names.filter((_, index) => storedFeatures[index] === undefined);
  const { tombstones } = await loadHeadsAndTombstones(request, absent);
  const decisions = new Decisions();
  for (const [index, name] of names.entries()) {
    const sent = source.copy.feature(name) as SourceFeature;
    await decisions.decide(name, () => {
      const { feature, seen } = acceptFlag(sent, migration, facts);
      const imported = history.ofFeature(name);
      const stored = storedFeatures[index];
      assertFewStepsOf(stored?.feature, feature);
      const steps =
        stored === undefined
          ? buildCreation(feature, imported, tombstones.get(name))
          : buildUpdate(stored, feature, imported, projects, () => onUnfinished(name));
      if (steps.length === 0) decisions.unchanged.push(name);
      decisions.steps.push(...steps, ...buildLastUse(feature, seen, lastSeenOf(feature)));
      if (hasPartialReleasePlan(sent.content)) decisions.remarks.push({ name, reason: noReleasePlan });
      if (hasSafeguards(sent.content)) decisions.remarks.push({ name, reason: noSafeguards });
    });
  }
  return decisions;
}

const noReleasePlan = 'without its release plan: it keeps its current strategies';
const noSafeguards = 'without its safeguards: the metrics that they watch begin with the move';

/** Tells whether a flag has a safeguard, in an environment or on its release plan. */
function hasSafeguards({ environments }: JsonObject): boolean {
  const listIn = (things: readonly unknown[], member: string) =>
    things.filter(isJsonObject).flatMap((thing) => toList(thing[member]));
  const states = toList(environments);
  return listIn([...states, ...listIn(states, 'releasePlans')], 'safeguards').length > 0;
}

/** Builds the step that notes later times of the last use of a flag. */
function buildLastUse({ name, project }: Feature, sent: LastSeen, stored: LastSeen): MigrationStep[] {
  const later = [...sent].filter(([environment, at]) => at > (stored.get(environment) ?? ''));
  if (later.length === 0) return [];
  const writes = later.map(([environment, lastSeenAt]) => ({
    ...{ put: useKeys.featureSeen(project, name, environment), item: { lastSeenAt } },
  }));
  return [{ name: `the last use of ${name}`, writes, events: [] }];
}

/** Decides about the time of the last use of each project. */
async function decideProjectUse({ request }: ServerMigration, accepted: Facts['accepted']): Promise<KindDecision> {
  const stored = await loadLastUses(request);
  const last = new Map<string, string>();
  for (const { project, seenAt } of accepted.values()) {
    if (seenAt !== null && seenAt > (last.get(project) ?? '')) last.set(project, seenAt);
  }
  const later = [...last].filter(([project, lastSeenAt]) => lastSeenAt > (stored.get(project) ?? ''));
  return {
    steps: later.map(([project, lastSeenAt]) => ({
      ...{ name: `the last use in ${project}`, events: [] },
      writes: [{ put: useKeys.projectSeen(project), item: { lastSeenAt } }],
    })),
  };
}

/** Builds the steps that create a flag: its history first, then the flag. */
function buildCreation(
  after: Feature,
  imported: readonly ImportedEvent[],
  tombstone: Tombstone | undefined,
): MigrationStep[] {
  const { name } = after;
  // The ids of a name must rise, so that events before the deletion of an earlier flag here are not imported.
  const events = imported.map(({ event }) => event).filter(({ id }) => id > (tombstone?.lastEventId ?? 0));
  const attributes = { importedEventId: imported.at(-1)?.sourceId ?? 0 };
  const change = { stored: undefined, tombstone, after, attributes };
  if (events.length === 0) return [buildFeatureStep('created', change, [featureMigrated(after, undefined)])];
  const { writes, past } = buildHistoryWrites(name, events, tombstone === undefined);
  return [
    ...buildHistorySteps(name, writes),
    buildFeatureStep('created', { ...change, past }, [featureMigrated(after, undefined)]),
  ];
}

/** Builds the step that updates a flag, with its new events; none if nothing has changed. */
function buildUpdate(
  stored: StoredFeature,
  sent: Feature,
  imported: readonly ImportedEvent[],
  projects: ReadonlyMap<string, Project>,
  onUnfinished: () => void,
): MigrationStep[] {
  const { importedEventId } = stored.own;
  const { feature: before } = stored;
  if (importedEventId === undefined && before.project !== sent.project) {
    throw invalid(`A flag of its name is in the project "${before.project}" here.`);
  }
  const after = mergeFeature(before, sent);
  // A flag that was created here keeps its own history.
  const since = importedEventId === undefined ? [] : imported.filter(({ sourceId }) => sourceId > importedEventId);
  if (after === before && since.length === 0) return [];
  if (after !== before && projects.get(before.project)?.archivedAt) throw invalid('Its project is archived here.');
  const events = since.slice(0, eventsAtOnce);
  const isLast = events.length === since.length;
  if (!isLast) onUnfinished();
  const attributes = { importedEventId: events.at(-1)?.sourceId ?? importedEventId ?? 0 };
  const change = { stored, attributes, after: isLast ? after : before };
  const newEvents = isLast && after !== before ? [featureMigrated(after, before)] : [];
  return [buildFeatureStep('changed', change, newEvents, events)];
}

/** Builds the step that changes a flag, with imported events before those of the change. */
export function buildFeatureStep(
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
    // Imported events get new ids here, so that the ids of a flag rise.
    events: [...imported.map(({ event: { type } }) => ({ type, featureName: name })), ...events],
    record: (stamped) => {
      const all = stamped.map((own, index): Event => ({ ...own, ...imported[index]?.event, id: own.id }));
      // The operator runs a migration, which needs no approval.
      return buildFeatureWrites(fullAccess, change, all);
    },
  };
}

/** Returns the flag with the changes of the server. Unchanged parts stay the same objects. */
function mergeFeature(before: Feature, sent: Feature): Feature {
  const environments = new Map(before.environments);
  for (const [name, state] of sent.environments) {
    const old = environments.get(name);
    const strategies = keepIfEqual(old?.strategies, state.strategies, withOrderedSegments);
    const variants = keepIfEqual(old?.variants, state.variants);
    const plan = keepIfEqual(old?.plan, mergePlan(old?.plan, state.plan), withOrderedMilestones);
    const isSame =
      strategies === old?.strategies && variants === old.variants && plan === old.plan && state.enabled === old.enabled;
    const isNothing = old === undefined && !state.enabled && !plan && strategies.length + variants.length === 0;
    const ownParts = { ...(plan && { plan }), ...(old?.safeguards && { safeguards: old.safeguards }) };
    if (!isSame && !isNothing) environments.set(name, { enabled: state.enabled, strategies, variants, ...ownParts });
  }
  const life = mergeStages(before, sent);
  const after: Feature = {
    ...sent,
    ...life,
    createdAt: before.createdAt,
    createdBy: before.createdBy,
    children: before.children,
    tags: keepIfEqual(before.tags, sent.tags, ordered),
    dependencies: keepIfEqual(before.dependencies, sent.dependencies),
    links: keepIfEqual(before.links, sent.links, ordered),
    environments,
  };
  return isDeepStrictEqual(after, before) ? before : after;
}

/** Returns the plan of the server, with the safeguards that it got here. */
function mergePlan(before: ReleasePlan | undefined, sent: ReleasePlan | undefined): ReleasePlan | undefined {
  if (before === undefined || sent === undefined || before.id !== sent.id) return sent;
  const { resumedAt, safeguards } = before;
  return { ...sent, ...(resumedAt !== undefined && { resumedAt }), ...(safeguards && { safeguards }) };
}

/** Returns the stages of the server, with those that the flag has reached by its use here. */
function mergeStages(before: Feature, sent: Feature): Pick<Feature, 'stages' | 'lifecycle'> {
  const byUse = before.stages.filter(
    ({ stage }) => (stage === 'pre-live' || stage === 'live') && !sent.stages.some((other) => other.stage === stage),
  );
  const isSame = isDeepStrictEqual(before.stages, sent.stages);
  return isSame || byUse.length === 0 ? sent : lifeOf([...sent.stages, ...byUse]);
}

/** Returns `before` if both are equal. @param form returns a comparable form, such as the sorted list of a set. */
function keepIfEqual<T>(before: T | undefined, after: T, form: (value: T) => unknown = (value) => value): T {
  return before !== undefined && isDeepStrictEqual(form(before), form(after)) ? before : after;
}

const ordered = (things: readonly object[]) =>
  things.map((thing) => JSON.stringify(Object.entries(thing).toSorted())).toSorted();

const withOrderedSegments = (strategies: readonly Strategy[]) =>
  strategies.map((strategy) => ({ ...strategy, segments: strategy.segments.toSorted() }));

const withOrderedMilestones = (plan: ReleasePlan | undefined) =>
  plan && {
    ...plan,
    milestones: plan.milestones.map((milestone) => ({
      ...milestone,
      strategies: withOrderedSegments(milestone.strategies),
    })),
  };
