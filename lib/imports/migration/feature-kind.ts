import { isDeepStrictEqual } from 'node:util';
import { ApiError, invalid } from '../../errors.ts';
import type { NewEvent } from '../../events/event.ts';
import type { Event } from '../../events/event-schema.ts';
import type { Feature } from '../../features/feature.ts';
import { featureMigrated } from '../../features/feature-events.ts';
import { loadFeature, loadNames } from '../../features/feature-store.ts';
import { chunksOf } from '../../features/items/chunks.ts';
import type { Remains, StoredFeature } from '../../features/items/feature-items.ts';
import { type FeatureChange, featureWrites } from '../../features/items/feature-writes.ts';
import { lifeOf } from '../../features/lifecycle/lifecycle.ts';
import { projectFeaturesLimit } from '../../limits.ts';
import type { Project } from '../../projects/projects.ts';
import * as keys from '../../store/keys.ts';
import { strategyTypes } from '../../strategy-types/strategy-types.ts';
import { tagTypes } from '../../tags/tag-types.ts';
import { type LastSeen, type LastSeenOf, lastSeenIn, latestOf, listLastUses } from '../../usage/last-seen.ts';
import { historyOf, historySteps, historyWrites, type ImportedEvent, type ServerHistory } from './history.ts';
import { movedFeature } from './moved-feature.ts';
import type { Decided, Remark, ServerKind, ServerMigration, Step } from './plan.ts';
import { loadAllProjects } from './project-kinds.ts';
import { refusalWords } from './reason.ts';

/** Flags that are read and decided on together. */
const chunkSize = 100;
/** Events of the past that one change of a flag brings along; more of them come before it. */
export const eventsAtOnce = 50;

export const featureKind: ServerKind = {
  title: 'flags',
  decisions: async function* (migration) {
    const history = await historyOf(migration);
    const { features, refused } = await movableFeatures(migration);
    yield async () => ({ steps: [], refused });
    const isChild = ({ feature: { dependencies } }: Movable) => dependencies.length > 0;
    const projects = await projectsById(migration);
    const facts = { history, projects, lastSeenOf: await lastSeenIn(migration.request, [...projects.keys()]) };
    // Parents first. Of a flag with many new events, some wait for another time.
    for (const some of [features.filter((each) => !isChild(each)), features.filter(isChild)]) {
      for (let open = some; open.length > 0; ) {
        const late: Movable[] = [];
        for (const chunk of chunksOf(open, chunkSize)) {
          yield () => decideChunk(migration, chunk, facts, (each) => late.push(each));
        }
        open = migration.isWriting ? [...new Set(late)] : [];
      }
    }
    yield () => decideProjectUse(migration, features);
  },
};

/** A flag that can be here, with the times of its last use by environment. */
interface Movable {
  readonly feature: Feature;
  readonly seen: LastSeen;
}

/** Facts that all flags are decided on. */
interface Facts {
  readonly history: ServerHistory;
  readonly projects: ReadonlyMap<string, Project>;
  readonly lastSeenOf: LastSeenOf;
}

async function projectsById({ request, world }: ServerMigration): Promise<ReadonlyMap<string, Project>> {
  const all = world.withPlanned(
    'project',
    (await loadAllProjects(request)).map((each) => [each.value.id, each]),
  );
  return new Map([...all].map(([id, { value }]) => [id, value]));
}

/** Returns the flags that can be here, and the reasons why others cannot. */
async function movableFeatures(migration: ServerMigration): Promise<{ features: Movable[]; refused: Remark[] }> {
  const { request, source, world } = migration;
  const byName = <T extends { readonly name: string }>(all: readonly { value: T; version: number }[]) =>
    all.map((each) => [each.value.name, each] as const);
  const [projects, types, tags] = await Promise.all([
    projectsById(migration),
    strategyTypes.listVersioned(request).then((all) => new Set(world.withPlanned('strategy type', byName(all)).keys())),
    tagTypes.listVersioned(request).then((all) => new Set(world.withPlanned('tag type', byName(all)).keys())),
  ]);
  const room = roomCounter();
  const features = new Map<string, Movable>();
  const refused: Remark[] = [];
  for (const sent of source.features) {
    try {
      if (!projects.has(sent.project)) throw invalid(`Its project "${sent.project.slice(0, 100)}" does not come over.`);
      const movable = movedFeature(sent, migration, types);
      const { feature } = movable;
      const tag = feature.tags.find(({ type }) => !tags.has(type));
      if (tag !== undefined) throw invalid(`Its tag type "${tag.type}" does not come over.`);
      room.take(feature.project);
      features.set(feature.name, movable);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refused.push({ name: sent.name, reason: refusalWords(error) });
    }
  }
  for (const { feature } of [...features.values()]) {
    const reason = parentProblem(feature, features);
    if (reason === undefined) continue;
    features.delete(feature.name);
    refused.push({ name: feature.name, reason });
  }
  return { features: [...features.values()], refused };
}

function parentProblem({ project, dependencies }: Feature, features: ReadonlyMap<string, Movable>): string | undefined {
  for (const { feature: name } of dependencies) {
    const parent = features.get(name)?.feature;
    if (parent === undefined) return `Its parent "${name}" does not come over.`;
    if (parent.archivedAt !== null || parent.project !== project || parent.dependencies.length > 0) {
      return `Its parent "${name}" is archived, in another project or has a parent of its own.`;
    }
  }
  return undefined;
}

/** Counts the flags of each project, of which there may be only so many. */
function roomCounter(): { take(project: string): void } {
  const max = projectFeaturesLimit();
  const counts = new Map<string, number>();
  return {
    take(project) {
      const count = (counts.get(project) ?? 0) + 1;
      if (count > max) throw invalid(`A project has at most ${max} flags (PROJECT_FEATURES_LIMIT).`);
      counts.set(project, count);
    },
  };
}

async function decideChunk(
  { request }: ServerMigration,
  chunk: readonly Movable[],
  { history, projects, lastSeenOf }: Facts,
  onLate: (movable: Movable) => void,
): Promise<Decided> {
  const found = await Promise.all(chunk.map(({ feature: { name } }) => loadFeature(request, name)));
  const missing = chunk.flatMap(({ feature: { name } }, index) => (found[index] === undefined ? name : []));
  const { remains } = await loadNames(request, missing);
  const [steps, left, refused]: [Step[], string[], Remark[]] = [[], [], []];
  for (const [index, movable] of chunk.entries()) {
    const { feature, seen } = movable;
    const { name } = feature;
    const imported = history.ofFeature.get(name) ?? [];
    try {
      const stored = found[index];
      const own =
        stored === undefined
          ? creation(feature, imported, remains.get(name))
          : update(stored, feature, imported, projects, () => onLate(movable));
      if (own.length === 0) left.push(name);
      steps.push(...own, ...lastUse(feature, seen, lastSeenOf(feature)));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refused.push({ name, reason: refusalWords(error) });
    }
  }
  return { steps, left, refused };
}

/** Returns the step that notes when a flag was last evaluated there, where that is later than here. */
function lastUse({ name, project }: Feature, there: LastSeen, here: LastSeen): Step[] {
  const later = [...there].filter(([environment, at]) => at > (here.get(environment) ?? ''));
  if (later.length === 0) return [];
  const writes = later.map(([environment, lastSeenAt]) => ({
    ...{ put: keys.featureSeen(project, name, environment), item: { lastSeenAt } },
  }));
  return [{ name: `the last use of ${name}`, writes, events: [] }];
}

/** Notes when any flag of each project was last evaluated. */
async function decideProjectUse({ request }: ServerMigration, features: readonly Movable[]): Promise<Decided> {
  const here = await listLastUses(request);
  const byProject = Map.groupBy(features, ({ feature }) => feature.project);
  return {
    steps: [...byProject].flatMap(([project, all]): Step[] => {
      const lastSeenAt = latestOf(new Map(all.map(({ feature, seen }) => [feature.name, latestOf(seen) ?? ''])));
      if (!lastSeenAt || lastSeenAt <= (here.get(project) ?? '')) return [];
      const write = { put: keys.projectSeen(project), item: { lastSeenAt } };
      return [{ name: `the last use in ${project}`, writes: [write], events: [] }];
    }),
  };
}

/** Returns the steps that create a flag: its history first, then the flag with all that it has. */
function creation(after: Feature, imported: readonly ImportedEvent[], remains: Remains | undefined): Step[] {
  const { name } = after;
  // Ids rise for each name: events before the deletion of what had it here cannot follow on that.
  const events = imported.map(({ event }) => event).filter(({ id }) => id > (remains?.lastEventId ?? 0));
  const attributes = { importedEventId: imported.at(-1)?.sourceId ?? 0 };
  const change = { stored: undefined, remains, after, attributes };
  if (events.length === 0) return [featureStep('created', change, [featureMigrated(after, undefined)])];
  const { writes, past } = historyWrites(name, events, remains === undefined);
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
): Step[] {
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
): Step {
  const { name } = change.after;
  return {
    name,
    outcome,
    writes: [],
    // Those of the past take ids here as new ones do, so that the ids of a flag rise.
    events: [...imported.map(({ event: { type } }) => ({ type, featureName: name })), ...events],
    record: (stamped) => {
      const all = stamped.map((own, index): Event => ({ ...own, ...imported[index]?.event, id: own.id }));
      // A migration is run by who runs the service, and needs no approval.
      return featureWrites({}, change, all);
    },
  };
}

/** Returns the flag as it is to be, each part that is the same being the one that it had. */
function upToDate(before: Feature, moved: Feature): Feature {
  const environments = new Map(before.environments);
  for (const [name, state] of moved.environments) {
    const old = environments.get(name);
    const strategies = same(old?.strategies, state.strategies);
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
    tags: same(before.tags, moved.tags),
    dependencies: same(before.dependencies, moved.dependencies),
    links: same(before.links, moved.links),
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

function same<T>(before: T | undefined, after: T): T {
  return before !== undefined && isDeepStrictEqual(before, after) ? before : after;
}
