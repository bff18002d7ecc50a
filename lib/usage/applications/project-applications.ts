import { loadProject } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import { mapChunks } from '../../values/lists.ts';
import type { ProjectApplication, ProjectApplicationsQuery } from './application-schema.ts';
import { applicationEntity } from './applications.ts';
import { type Instance, listApplicationsOf, listInstances } from './instances.ts';

const pageSize = 50;
const pageSizeMax = 100;
/** Of how many applications the instances are read at the same time. */
const applicationsAtOnce = 16;

/**
 * The applications that have used features of a project within two days, sorted by name and page by page. A query looks
 * for texts with commas between in the names, the environments, the instances and the SDKs.
 * @throws ApiError 404 for an unknown project.
 */
export async function listProjectApplications(
  request: Request,
  projectId: string,
  { query = '', offset = 0, limit = pageSize, sortOrder = 'asc' }: ProjectApplicationsQuery,
): Promise<{ total: number; applications: ProjectApplication[] }> {
  const [places] = await Promise.all([listApplicationsOf(request, projectId), loadProject(request, projectId)]);
  const known = await applicationEntity.some(request, places.keys());
  const sorted = [...places].filter(([name]) => known.has(name)).toSorted(([a], [b]) => a.localeCompare(b));
  const ordered = sortOrder === 'asc' ? sorted : sorted.toReversed();
  const load = async ([name, environments]: (typeof sorted)[number]) => {
    const instances = await listInstances(request, name);
    return shown(
      name,
      environments,
      instances.filter(({ environment }) => environments.includes(environment)),
    );
  };
  const page = <T>(all: readonly T[]) => all.slice(offset, offset + Math.min(limit, pageSizeMax));
  const terms = query.split(',').flatMap((each) => each.trim().toLowerCase() || []);
  if (terms.length === 0) {
    return { total: ordered.length, applications: await mapChunks(page(ordered), applicationsAtOnce, load) };
  }
  const all = await mapChunks(ordered, applicationsAtOnce, load);
  const found = all.filter((each) => terms.some((term) => textsOf(each).some((text) => text.includes(term))));
  return { total: found.length, applications: page(found) };
}

function shown(name: string, environments: string[], instances: readonly Instance[]): ProjectApplication {
  const sdks = [...new Set(instances.flatMap(({ sdkVersion }) => sdkVersion ?? []))].toSorted();
  const versions = Map.groupBy(sdks, (sdk) => sdk.split(':')[0] ?? '');
  return {
    name,
    environments,
    instances: [...new Set(instances.map(({ instanceId }) => instanceId))].toSorted(),
    sdks: [...versions].map(([sdk, of]) => ({
      name: sdk,
      versions: of.flatMap((each) => each.split(':').slice(1).join(':') || []),
    })),
  };
}

function textsOf({ name, environments, instances, sdks }: ProjectApplication): string[] {
  const versions = sdks.flatMap((sdk) => sdk.versions.map((version) => `${sdk.name}:${version}`));
  return [name, ...environments, ...instances, ...versions].map((text) => text.toLowerCase());
}
