import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import { environments as environmentEntity } from '../environments/environments.ts';
import { ApiError, type ErrorDetail } from '../errors.ts';
import { type Actor, systemUser } from '../events/actor.ts';
import { projects as projectEntity } from '../projects/projects.ts';
import { filterVisibleProjects, isHidden, type Request, withoutReceipt } from '../request.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { createTagType, tagTypes } from '../tags/tags.ts';
import { isName } from '../values/primitives.ts';
import { checkAddon, maskParameters } from './addon-parameters.ts';
import type { AddonInput, AddonProvider, ShownAddon } from './addon-schema.ts';
import { providers } from './providers.ts';

/** Integration that sends events elsewhere, e.g. to a chat. */
export interface Addon extends Omit<ShownAddon, 'parameters'> {
  /** Parameters of the provider, secrets included. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The time since which it is switched on: it sends nothing of before. Missing in those of release 0.2. */
  readonly enabledAt?: string;
  /** The user who has saved it last: it sends what they may see. Missing in those of release 0.2, a seed or a migration. */
  readonly savedBy?: number;
}

/** The most addons: each change of a flag is held against all of them. */
const addonsMax = 100;

export const addons = entity<Addon, number>({
  kind: 'addon',
  idOf: ({ id }) => id,
  partition: { pk: 'ADDONS' },
  codec: codec<Addon>({ parameters: true, events: true, projects: true, environments: true }),
  counter: 'addon',
  max: addonsMax,
  events: { created: 'addon-config-created', updated: 'addon-config-updated', deleted: 'addon-config-deleted' },
  // The parameters hold the secrets of others.
  shown: ({ parameters: _parameters, ...addon }) => withoutOrigin(addon),
  projectsOf: ({ projects }) => projects,
});

/** Leaves out what says since when, and for whom, it sends. */
function withoutOrigin<T extends Partial<Addon>>(addon: T): Omit<T, 'enabledAt' | 'savedBy'> {
  const { enabledAt: _enabledAt, savedBy: _savedBy, ...shown } = addon;
  return shown;
}

/** Returns an addon as replies show it, without the projects that the caller must not see. */
export function addonView(request: Request, addon: Addon): ShownAddon {
  return {
    ...withoutOrigin(addon),
    parameters: maskParameters(addon.provider, addon.parameters),
    events: [...addon.events],
    projects: filterVisibleProjects(request, addon.projects),
    environments: [...addon.environments],
  };
}

/**
 * Creates an addon, and before it the tag types of its provider that are missing, as Unleash does.
 * @throws ApiError 400 that names every mistake in its parameters and events.
 */
export async function createAddon(request: Request, actor: Actor, input: AddonInput): Promise<Versioned<Addon>> {
  let places: Places | undefined;
  const read = async () => {
    places ??= await placesOf(request, input);
  };
  const check = () => checkAddon(input, {}, places?.problems());
  if (providers.some(({ name, tagTypes }) => name === input.provider && tagTypes !== undefined)) {
    await read();
    await addTagTypes(request, check().provider);
  }
  const make = (createdAt: string, id: number): Addon => ({
    ...contentOf(input),
    ...originOf(actor, input.enabled, createdAt),
    id,
    createdAt,
    parameters: check().parameters,
  });
  return addons.create(request, actor, make, [], read);
}

async function addTagTypes(request: Request, { tagTypes: wanted = [] }: AddonProvider): Promise<void> {
  if (wanted.length === 0) return;
  const names = wanted.map(({ name }) => name);
  const known = await tagTypes.some(request, names);
  for (const tagType of wanted.filter(({ name }) => !known.has(name))) {
    try {
      await createTagType(withoutReceipt(request), systemUser, tagType);
    } catch (error) {
      // Another writer was faster.
      if (!(error instanceof ApiError && error.name === 'NameExistsError')) throw error;
    }
  }
}

/**
 * Replaces the content of an addon; a secret sent as `*****` stays, unless the provider changes. Projects that the
 * caller must not see stay among those that are named, too.
 * @throws ApiError 404 where there is no such addon; 400 that names every mistake; 412 by `If-Match`.
 */
export async function updateAddon(request: Request, actor: Actor, id: number, input: AddonInput) {
  const reading = placesOf(request, input);
  let places: Places;
  const load = async () => {
    const [loaded, named] = await Promise.all([addons.load(request, id), reading]);
    places = named;
    return loaded;
  };
  const revise = ({ enabledAt, ...addon }: Addon, at: string): Addon => {
    const stored = addon.provider === input.provider ? addon.parameters : {};
    const content = contentOf(input);
    const hidden = addon.projects.filter(
      (project) => isHidden(request, project) && !content.projects.includes(project),
    );
    // None means all, which has the hidden ones.
    const projects = content.projects.length === 0 ? [] : [...content.projects, ...hidden];
    const { parameters } = checkAddon(input, stored, places.problems(addon));
    return {
      ...addon,
      ...content,
      ...originOf(actor, input.enabled, addon.enabled ? enabledAt : at),
      projects,
      parameters,
    };
  };
  return addons.update(request, actor, id, revise, [], load);
}

/** The projects and environments that an addon names, held against those that exist. */
interface Places {
  /** Returns the mistakes in them, but for names that the addon had before: those may be gone meanwhile. */
  problems(before?: Pick<Addon, 'projects' | 'environments'>): ErrorDetail[];
}

/** Everything, in a filter. */
const all = '*';

async function placesOf(request: Request, { projects = [], environments = [] }: AddonInput): Promise<Places> {
  const [knownProjects, knownEnvironments] = await Promise.all([
    projectEntity.some(request, projects.filter(isName)),
    environmentEntity.some(request, environments.filter(isName)),
  ]);
  const problemsOf = (kind: string, names: readonly string[], isKnown: (name: string) => boolean) =>
    names.flatMap((name, index) =>
      name === all || isKnown(name)
        ? []
        : [{ path: `${kind}s.${index}`, message: `There is no ${kind} "${name.slice(0, 100)}".` }],
    );
  return {
    problems: (before) => [
      ...problemsOf(
        'project',
        projects,
        (name) => before?.projects.includes(name) || (knownProjects.has(name) && !isHidden(request, name)),
      ),
      ...problemsOf(
        'environment',
        environments,
        (name) => before?.environments.includes(name) || knownEnvironments.has(name),
      ),
    ],
  };
}

function originOf({ id: savedBy }: Actor, enabled: boolean, enabledAt: string | undefined) {
  return { savedBy, ...(enabled && enabledAt !== undefined && { enabledAt }) };
}

function contentOf({ provider, enabled, description, events, projects = [], environments = [] }: AddonInput) {
  return { provider, enabled, description: description ?? null, events, projects, environments };
}
