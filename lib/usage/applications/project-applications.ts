import { loadProject } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import { mapChunks } from '../../values/lists.ts';
import type { ProjectApplication, ProjectApplicationsQuery } from './application-schema.ts';
import { applicationEntity } from './applications.ts';
import { type Instance, listApplicationsOf, listInstances } from './instances.ts';

const pageSize = 50;
const pageSizeMax = 100;
/** The number of applications whose instances are read at the same time. */
const applicationsAtOnce = 16;

/**
 * Lists a page of the applications that have used features of a project within two days, sorted by name. A query is a
 * comma-separated list of texts; any of them must be part of a name, environment, instance or SDK.
 * @throws ApiError 404 for an unknown project.
 */
export async function listProjectApplications(
  request: Request,
  projectId: string,
  { query = '', offset = 0, limit = pageSize, sortOrder = 'asc' }: ProjectApplicationsQuery,
): Promise<{ total: number; applications: ProjectApplication[] }> {
  const [environmentsByName] = await Promise.all([
    listApplicationsOf(request, projectId),
    loadProject(request, projectId),
  ]);
  const known = await applicationEntity.findSome(request, environmentsByName.keys());
  const sorted = [...environmentsByName].filter(([name]) => known.has(name)).toSorted(([a], [b]) => a.localeCompare(b));
  const ordered = sortOrder === 'asc' ? sorted : sorted.toReversed();
  const load = async ([name, environments]: (typeof sorted)[number]) => {
    const instances = await listInstances(request, name);
    return toView(
      name,
      environments,
      instances.filter(({ environment }) => environments.includes(environment)),
    );
  };
  const pageOf = <T>(all: readonly T[]) => all.slice(offset, offset + Math.min(limit, pageSizeMax));
  const terms = query.split(',').flatMap((term) => term.trim().toLowerCase() || []);
  if (terms.length === 0) {
    return { total: ordered.length, applications: await mapChunks(pageOf(ordered), applicationsAtOnce, load) };
  }
  const all = await mapChunks(ordered, applicationsAtOnce, load);
  const matches = all.filter((application) =>
    terms.some((term) => textsOf(application).some((text) => text.includes(term))),
  );
  return { total: matches.length, applications: pageOf(matches) };
}

function toView(name: string, environments: string[], instances: readonly Instance[]): ProjectApplication {
  const sdks = [...new Set(instances.flatMap(({ sdkVersion }) => sdkVersion ?? []))].toSorted();
  const versions = Map.groupBy(sdks, (sdk) => sdk.split(':')[0] ?? '');
  return {
    name,
    environments,
    instances: [...new Set(instances.map(({ instanceId }) => instanceId))].toSorted(),
    sdks: [...versions].map(([name, sdksOfName]) => ({
      name,
      versions: sdksOfName.flatMap((sdk) => sdk.split(':').slice(1).join(':') || []),
    })),
  };
}

function textsOf({ name, environments, instances, sdks }: ProjectApplication): string[] {
  const versions = sdks.flatMap((sdk) => sdk.versions.map((version) => `${sdk.name}:${version}`));
  return [name, ...environments, ...instances, ...versions].map((text) => text.toLowerCase());
}
