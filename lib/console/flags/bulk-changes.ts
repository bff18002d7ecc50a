import type { ListedFlag } from '../../screens/flags-schema.ts';
import type { ConsoleStart } from '../../screens/start-schema.ts';
import {
  addTagToFeatures,
  archiveFeatures,
  bulkToggleFeaturesEnvironmentOff,
  bulkToggleFeaturesEnvironmentOn,
  type FlagTag,
  staleFeatures,
} from '../calls/flags.ts';
import { type AskedChange, addChangeRequestChanges } from '../calls/requests.ts';
import { maySkipApproval, wayOf } from '../change/change-way.ts';
import { mayIn } from '../reader/start.ts';
import { countOf } from '../words/numbers.ts';

/** Selected flags of a project, whose changes are one request. */
export interface ProjectFlags {
  readonly project: string;
  readonly features: readonly string[];
}

/** A change request that flags went into. */
interface AskedRequest {
  readonly project: string;
  readonly id: number;
}

/** Groups selected flags by their project. */
export function groupByProject(flags: readonly Pick<ListedFlag, 'name' | 'project'>[]): ProjectFlags[] {
  return [...Map.groupBy(flags, ({ project }) => project)].map(([project, all]) => ({
    project,
    features: all.map(({ name }) => name),
  }));
}

/** Returns the reason against a change of some flags; undefined if the reader may change all. @param act such as "edit flags". */
export function reasonAgainstBulk(
  start: ConsoleStart | undefined,
  groups: readonly ProjectFlags[],
  permission: string,
  act: string,
): string | undefined {
  if (start === undefined) return undefined;
  if (start.isInMaintenance) return 'Maintenance: nothing can be changed for now.';
  const refused = groups.filter(({ project }) => !mayIn(start, permission, project)).map(({ project }) => project);
  return refused.length === 0 ? undefined : `Needs the permission to ${act} in ${refused.join(', ')}.`;
}

/** A switch of flags in an environment, of each project in its way. */
interface BulkSwitch {
  readonly direct: readonly ProjectFlags[];
  /** The flags whose change becomes a change request. */
  readonly approval: readonly ProjectFlags[];
}

/**
 * Decides how the flags of each project are switched.
 * @param isProtected tells whether changes of a project need approval in the environment.
 */
export function planBulkSwitch(
  start: ConsoleStart | undefined,
  groups: readonly ProjectFlags[],
  environment: string,
  isProtected: (project: string) => boolean,
): BulkSwitch {
  const isDirect = ({ project }: ProjectFlags) =>
    wayOf(start, { flag: '', project, environment, approvals: isProtected(project) ? 1 : undefined }) === 'direct';
  return { direct: groups.filter(isDirect), approval: groups.filter((group) => !isDirect(group)) };
}

/**
 * Switches flags, or asks for it where that needs approval.
 * @returns the change requests with the switches.
 * @throws Refusal of the first project that refuses; those before it are switched.
 */
export async function switchFlags(
  { direct, approval }: BulkSwitch,
  environment: string,
  isOn: boolean,
): Promise<AskedRequest[]> {
  const send = isOn ? bulkToggleFeaturesEnvironmentOn : bulkToggleFeaturesEnvironmentOff;
  for (const { project, features } of direct) await send({ projectId: project, environment }, { body: { features } });
  const asked: AskedRequest[] = [];
  for (const { project, features } of approval) {
    const changes = features.map((feature) => ({
      feature,
      action: 'updateEnabled' as const,
      payload: { enabled: isOn, shouldActivateDisabledStrategies: false },
    }));
    asked.push(...(await addChanges(project, environment, changes)));
  }
  return asked;
}

/** Adds tags to flags, and removes others. */
export async function tagFlags(
  groups: readonly ProjectFlags[],
  addedTags: readonly FlagTag[],
  removedTags: readonly FlagTag[],
): Promise<void> {
  for (const { project, features } of groups)
    await addTagToFeatures({ projectId: project }, { body: { features, tags: { addedTags, removedTags } } });
}

/** Sets or removes the stale mark of flags. */
export async function setFlagsStale(groups: readonly ProjectFlags[], stale: boolean): Promise<void> {
  for (const { project, features } of groups)
    await staleFeatures({ projectId: project }, { body: { features, stale } });
}

/** Flags of a project that become a change request of an environment. */
interface AskedFlags extends ProjectFlags {
  readonly environment: string;
}

/** The archiving of flags, of each in its way. */
export interface BulkArchive {
  readonly direct: readonly ProjectFlags[];
  readonly approval: readonly AskedFlags[];
}

/**
 * Sorts flags by the way in which they are archived. Archiving needs approval where an environment that is protected may give a flag to applications.
 * @param isProtected tells whether changes of a project need approval in an environment.
 */
export function planBulkArchive(
  start: ConsoleStart | undefined,
  flags: readonly Pick<ListedFlag, 'name' | 'project' | 'environments'>[],
  isProtected: (project: string, environment: string) => boolean,
): BulkArchive {
  const placeOf = ({ project, environments }: Pick<ListedFlag, 'project' | 'environments'>) =>
    environments
      .filter(({ enabled, hasStrategies }) => enabled || hasStrategies)
      .find(
        ({ name }) =>
          isProtected(project, name) &&
          wayOf(start, { flag: '', project, environment: name, approvals: 1 }) === 'approval',
      )?.name;
  const places = [...Map.groupBy(flags, placeOf)];
  return {
    direct: places.flatMap(([place, all]) => (place === undefined ? groupByProject(all) : [])),
    approval: places.flatMap(([environment, all]) =>
      environment === undefined ? [] : groupByProject(all).map((group) => ({ ...group, environment })),
    ),
  };
}

/**
 * Archives flags, or asks for it where that needs approval.
 * @returns the change requests.
 * @throws Refusal if others depend on a flag; flags of the projects before it are archived.
 */
export async function archiveFlags({ direct, approval }: BulkArchive): Promise<AskedRequest[]> {
  for (const { project, features } of direct) await archiveFeatures({ projectId: project }, { body: { features } });
  const asked: AskedRequest[] = [];
  for (const { project, environment, features } of approval) {
    const changes = features.map((feature) => ({ feature, action: 'archiveFeature' as const }));
    asked.push(...(await addChanges(project, environment, changes)));
  }
  return asked;
}

async function addChanges(
  project: string,
  environment: string,
  changes: readonly AskedChange[],
): Promise<AskedRequest[]> {
  const { body } = await addChangeRequestChanges({ projectId: project, environment }, { body: changes });
  return [body]
    .flat()
    .slice(0, 1)
    .map(({ id }) => ({ project, id }));
}

/** Tells whether the reader may choose to change without approval in all of some places; false for no place. */
export function mayAllSkip(
  start: ConsoleStart | undefined,
  places: readonly Pick<AskedFlags, 'project' | 'environment'>[],
): boolean {
  return places.length > 0 && places.every((place) => maySkipApproval(start, { ...place, flag: '', approvals: 1 }));
}

/** Writes the number of flags: "2 flags". */
export function countFlags(groups: readonly ProjectFlags[]): string {
  return countOf(
    groups.reduce((sum, { features }) => sum + features.length, 0),
    'flag',
  );
}

/** Describes the drafts that some flags went into; empty for no flags. */
export function describeDrafts(groups: readonly ProjectFlags[], drafts: number): string {
  if (groups.length === 0) return '';
  return `${countFlags(groups)} in ${countOf(drafts, 'draft')}. Send ${drafts === 1 ? 'it' : 'them'} for review in Reviews`;
}

/** Reads a tag as a list of flags writes it: `beta` is of the type `simple`, `team:shop` of the type `team`. */
export function parseTag(text: string): FlagTag {
  const [type = '', ...rest] = text.split(':');
  return rest.length === 0 ? { type: 'simple', value: text } : { type, value: rest.join(':') };
}
