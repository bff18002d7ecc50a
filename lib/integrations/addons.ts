import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import { environments as environmentEntity } from '../environments/environments.ts';
import { ApiError, type ErrorDetail } from '../errors.ts';
import { type Actor, systemUser } from '../events/actor.ts';
import { projects as projectEntity } from '../projects/projects.ts';
import { filterVisibleProjects, isHidden, type Request, withoutIdempotencyRecord } from '../request.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { createTagType, tagTypes } from '../tags/tags.ts';
import { isName } from '../values/primitives.ts';
import { checkAddon, maskParameters } from './addon-parameters.ts';
import type { Addon, AddonInput, AddonProvider, ShownAddon } from './addon-schema.ts';
import { providers } from './providers.ts';

/** The most addons, since every change of a flag is checked against all of them. */
const addonsMax = 100;

export const addons = entity<Addon, number>({
  kind: 'addon',
  idOf: ({ id }) => id,
  partition: { pk: 'ADDONS' },
  codec: codec<Addon>({ parameters: true, events: true, projects: true, environments: true }),
  counter: 'addon',
  max: addonsMax,
  events: { created: 'addon-config-created', updated: 'addon-config-updated', deleted: 'addon-config-deleted' },
  // The parameters contain secrets.
  eventData: ({ parameters: _parameters, ...addon }) => withoutOrigin(addon),
  projectsOf: ({ projects }) => projects,
});

/** Returns an addon without the time since which it sends, and the user for whom. */
function withoutOrigin<T extends Partial<Addon>>(addon: T): Omit<T, 'enabledAt' | 'savedBy'> {
  const { enabledAt: _enabledAt, savedBy: _savedBy, ...shown } = addon;
  return shown;
}

/** Returns an addon as replies show it, without the projects that the caller may not see. */
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
 * Creates an addon, after the missing tag types of its provider, as Unleash does.
 * @throws ApiError 400 with all mistakes in its parameters and events.
 */
export async function createAddon(request: Request, actor: Actor, input: AddonInput): Promise<Versioned<Addon>> {
  let filters: Filters | undefined;
  const read = async () => {
    filters ??= await loadFilters(request, input);
  };
  const check = () => checkAddon(input, {}, filters?.listProblems());
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

async function addTagTypes(request: Request, { tagTypes: types = [] }: AddonProvider): Promise<void> {
  if (types.length === 0) return;
  const names = types.map(({ name }) => name);
  const existing = await tagTypes.findSome(request, names);
  for (const tagType of types.filter(({ name }) => !existing.has(name))) {
    try {
      await createTagType(withoutIdempotencyRecord(request), systemUser, tagType);
    } catch (error) {
      // Another request has created it.
      if (!(error instanceof ApiError && error.name === 'NameExistsError')) throw error;
    }
  }
}

/**
 * Replaces the content of an addon. A secret that is sent as `*****` stays, unless the provider changes. Projects that the
 * caller may not see stay, too.
 * @throws ApiError 404 for an unknown addon; 400 with all mistakes; 412 if `If-Match` does not match.
 */
export async function updateAddon(request: Request, actor: Actor, id: number, input: AddonInput) {
  const loading = loadFilters(request, input);
  let filters: Filters;
  const load = async () => {
    const [stored, loadedFilters] = await Promise.all([addons.load(request, id), loading]);
    filters = loadedFilters;
    return stored;
  };
  const revise = ({ enabledAt, ...addon }: Addon, at: string): Addon => {
    const stored = addon.provider === input.provider ? addon.parameters : {};
    const content = contentOf(input);
    const hidden = addon.projects.filter(
      (project) => isHidden(request, project) && !content.projects.includes(project),
    );
    // No project means all, also the hidden ones.
    const projects = content.projects.length === 0 ? [] : [...content.projects, ...hidden];
    const { parameters } = checkAddon(input, stored, filters.listProblems(addon));
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

/** The projects and environments that an addon names. */
interface Filters {
  /** Lists the unknown names. Names that the addon had before are accepted, since they may be deleted. */
  listProblems(before?: Pick<Addon, 'projects' | 'environments'>): ErrorDetail[];
}

/** The filter for everything. */
const wildcard = '*';

async function loadFilters(request: Request, { projects = [], environments = [] }: AddonInput): Promise<Filters> {
  const [knownProjects, knownEnvironments] = await Promise.all([
    projectEntity.findSome(request, projects.filter(isName)),
    environmentEntity.findSome(request, environments.filter(isName)),
  ]);
  const problemsOf = (kind: string, names: readonly string[], isKnown: (name: string) => boolean) =>
    names.flatMap((name, index) =>
      name === wildcard || isKnown(name)
        ? []
        : [{ path: `${kind}s.${index}`, message: `There is no ${kind} "${name.slice(0, 100)}".` }],
    );
  return {
    listProblems: (before) => [
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
