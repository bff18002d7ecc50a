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
import { addChangeRequestChanges } from '../calls/requests.ts';
import { mayIn } from '../data/start.ts';
import { wayOf } from '../flag/change-way.ts';

/** Selected flags of a project, whose changes are one request. */
export interface ProjectFlags {
  readonly project: string;
  readonly features: readonly string[];
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
  /** Those that become change requests. */
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
): Promise<{ readonly project: string; readonly id: number }[]> {
  const send = isOn ? bulkToggleFeaturesEnvironmentOn : bulkToggleFeaturesEnvironmentOff;
  for (const { project, features } of direct) await send({ projectId: project, environment }, { body: { features } });
  const asked: { project: string; id: number }[] = [];
  for (const { project, features } of approval) {
    const changes = features.map((feature) => ({
      feature,
      action: 'updateEnabled' as const,
      payload: { enabled: isOn, shouldActivateDisabledStrategies: false },
    }));
    const { body } = await addChangeRequestChanges({ projectId: project, environment }, { body: changes });
    const [request] = [body].flat();
    if (request !== undefined) asked.push({ project, id: request.id });
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

/** Archives flags. @throws Refusal if others depend on one, or the change needs approval. */
export async function archiveFlags(groups: readonly ProjectFlags[]): Promise<void> {
  for (const { project, features } of groups) await archiveFeatures({ projectId: project }, { body: { features } });
}

/** Reads a tag as a list of flags writes it: `beta` is of the type `simple`, `team:shop` of the type `team`. */
export function parseTag(text: string): FlagTag {
  const [type = '', ...rest] = text.split(':');
  return rest.length === 0 ? { type: 'simple', value: text } : { type, value: rest.join(':') };
}
