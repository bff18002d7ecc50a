import { isImported } from '../events/event.ts';
import type { LoggedEvent } from '../events/event-log.ts';
import type { Event } from '../events/event-schema.ts';

/** A flag at a moment of the past. */
export interface PastFlag {
  readonly project: string;
  readonly type: string;
  /** The time in milliseconds since 1970, like all times here. */
  readonly createdAt: number;
  readonly isStale: boolean;
  readonly isArchived: boolean;
  /** The time at which it was first switched on in production; null if it never was, 0 if it was imported as switched on. */
  readonly inProductionAt: number | null;
}

/** The state at a moment of the past as far as trends need it. It follows from the events before. */
export interface PastState {
  readonly flags: Map<string, PastFlag>;
  /** The ids of users. Those without events, such as the first one, are missing. */
  readonly users: Set<number>;
  /** The types of environments by name, also of those that were deleted since. */
  readonly environmentTypes: Map<string, string>;
}

/** Creates the state of an empty store. */
export function createPastState(): PastState {
  return { flags: new Map(), users: new Set(), environmentTypes: new Map() };
}

/** The activity in a project within a week. */
interface ProjectActivity {
  /** The number of created flags, by type of flag. */
  readonly created: Map<string, number>;
  archived: number;
  newInProduction: number;
  /** The number of updates, by type of environment. */
  readonly updates: Map<string, number>;
}

/** The activity within a week, by project. */
export type WeekActivity = Map<string, ProjectActivity>;

/** The types of events whose content matters. Of all others, the outline in the index is enough. */
const typesWithContent: ReadonlySet<string> = new Set([
  ...['feature-created', 'feature-import', 'feature-metadata-updated'],
  ...['user-created', 'user-deleted', 'environment-created', 'environment-updated'],
]);

/** Tells whether `applyEvent` needs the content of an event. */
export function needsContent({ type }: Pick<LoggedEvent, 'type'>): boolean {
  return typesWithContent.has(type);
}

type PastEvent = Pick<LoggedEvent, 'type' | 'createdAt' | 'project' | 'environment' | 'featureName'>;

/** The type of an environment that no event and no environment describes. */
const unknownType = 'unknown';

/**
 * Changes the state to that after an event, and counts the event in its week.
 * @param content the event itself, if `needsContent`; undefined if it is lost.
 */
export function applyEvent(state: PastState, activity: WeekActivity, event: PastEvent, content?: Event): void {
  const { type, createdAt, project, environment, featureName } = event;
  if (featureName !== null && project !== null) {
    if (environment !== null) {
      increase(ensureActivity(activity, project).updates, state.environmentTypes.get(environment) ?? unknownType);
    }
    applyFlagEvent(state, activity, { type, featureName, project, environment, at: Date.parse(createdAt) }, content);
  } else if (content !== undefined) {
    applyServiceEvent(state, content);
  }
}

interface FlagEvent {
  readonly type: string;
  readonly featureName: string;
  readonly project: string;
  readonly environment: string | null;
  readonly at: number;
}

function applyFlagEvent(
  { flags, environmentTypes }: PastState,
  activity: WeekActivity,
  { type, featureName, project, environment, at }: FlagEvent,
  content: Event | undefined,
): void {
  const before = flags.get(featureName);
  const update = (change: Partial<PastFlag>) => {
    if (before !== undefined) flags.set(featureName, { ...before, ...change });
  };
  const isProduction = (name: string | null) => name !== null && environmentTypes.get(name) === 'production';
  const data = (content?.data ?? {}) as FlagContent;
  switch (type) {
    case 'feature-created': {
      const flag = { ...flagOf(data, project, at), isArchived: false };
      flags.set(featureName, flag);
      increase(ensureActivity(activity, project).created, flag.type);
      break;
    }
    case 'feature-import': {
      const imported = flagOf(data, project, at);
      const wasOn = Object.entries(data.environments ?? {}).some(
        ([name, { enabled }]) => enabled && isProduction(name),
      );
      flags.set(featureName, { ...imported, inProductionAt: before?.inProductionAt ?? (wasOn ? 0 : null) });
      if (before === undefined) increase(ensureActivity(activity, project).created, imported.type);
      if (imported.isArchived && before?.isArchived !== true) ensureActivity(activity, project).archived += 1;
      break;
    }
    case 'feature-metadata-updated':
      if (data.type !== undefined) update({ type: data.type });
      break;
    case 'feature-archived':
      ensureActivity(activity, project).archived += 1;
      update({ isArchived: true });
      break;
    case 'feature-revived':
      update({ isArchived: false });
      break;
    case 'feature-deleted':
      flags.delete(featureName);
      break;
    case 'feature-project-change':
      update({ project });
      break;
    case 'feature-stale-on':
    case 'feature-stale-off':
      update({ isStale: type === 'feature-stale-on' });
      break;
    case 'feature-environment-enabled':
      if (before === undefined || before.inProductionAt !== null || !isProduction(environment)) break;
      ensureActivity(activity, project).newInProduction += 1;
      update({ inProductionAt: at });
  }
}

/** The content of an event that describes a flag. */
interface FlagContent {
  readonly type?: string;
  readonly createdAt?: string;
  readonly stale?: boolean;
  readonly archived?: boolean;
  readonly environments?: Readonly<Record<string, { readonly enabled?: boolean }>>;
}

function flagOf({ type = 'release', createdAt, stale, archived }: FlagContent, project: string, at: number): PastFlag {
  const created = createdAt === undefined ? at : Date.parse(createdAt);
  return {
    project,
    type,
    createdAt: Number.isNaN(created) ? at : created,
    isStale: stale === true,
    isArchived: archived === true,
    inProductionAt: null,
  };
}

function applyServiceEvent({ users, environmentTypes }: PastState, { type, data, preData }: Event): void {
  const { id, name, type: environmentType } = { ...preData, ...data };
  if (type.startsWith('environment-') && typeof name === 'string' && typeof environmentType === 'string') {
    environmentTypes.set(name, environmentType);
  }
  // The ids of users in imported events are those of the other server.
  if (typeof id !== 'number' || isImported({ data, preData })) return;
  if (type === 'user-created') users.add(id);
  else if (type === 'user-deleted') users.delete(id);
}

/** Returns the activity in a project, which it adds if there was none. */
function ensureActivity(activity: WeekActivity, project: string): ProjectActivity {
  const existing = activity.get(project);
  if (existing !== undefined) return existing;
  const created: ProjectActivity = { created: new Map(), archived: 0, newInProduction: 0, updates: new Map() };
  activity.set(project, created);
  return created;
}

function increase(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
