import { loadProject } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import { applicationEntity, seenApplications } from './applications.ts';
import { listApplicationsOf, listSdks } from './instances.ts';

/** The first version of each SDK that is not outdated, as Unleash 7.6 has them. */
const firstVersions: Readonly<Record<string, string>> = {
  'unleash-client-node': '5.3.2',
  'unleash-client-nextjs': '1.6.2',
  'unleash-client-java': '9.2.0',
  'unleash-client-go': '4.1.0',
  'unleash-client-python': '5.11.0',
  'unleash-client-ruby': '5.0.0',
  'unleash-client-dotnet': '4.1.3',
  'unleash-client-php': '2.3.0',
  'unleash-node-sdk': '6.6.0',
  'unleash-nextjs-sdk': '1.6.2',
  'unleash-java-sdk': '11.0.2',
  'unleash-go-sdk': '5.0.3',
  'unleash-python-sdk': '6.3.0',
  'unleash-ruby-sdk': '6.3.1',
  'unleash-dotnet-sdk': '5.3.0',
  'unleash-php-sdk': '2.9.1',
};

/**
 * Tells whether an SDK, as in `unleash-node-sdk:6.12.1`, is so old that its users should upgrade; false for unknown
 * ones.
 */
export function isOutdated(sdk: string): boolean {
  const [name = '', version = ''] = sdk.split(':');
  const first = Object.hasOwn(firstVersions, name) ? firstVersions[name] : undefined;
  const parts = /^v?(\d+)\.(\d+)\.(\d+)(-.+)?(?:\+.*)?$/.exec(version);
  if (first === undefined || parts === null) return false;
  const numbers = parts.slice(1, 4).map(Number);
  const wanted = first.split('.').map(Number);
  const index = numbers.findIndex((number, place) => number !== wanted[place]);
  // What comes before a release is older than it.
  return index === -1 ? parts[4] !== undefined : Number(numbers[index]) < Number(wanted[index]);
}

/**
 * The outdated SDKs of all applications, or of those that use features of a project, each with its applications.
 * @throws ApiError 404 for an unknown project.
 */
export async function listOutdatedSdks(request: Request, project?: string) {
  const [sdks, ofProject] = await Promise.all([
    listSdks(request),
    project === undefined ? undefined : listApplicationsOf(request, project),
    project === undefined ? undefined : loadProject(request, project),
  ]);
  const outdated = sdks.filter(({ sdkVersion }) => isOutdated(sdkVersion));
  const named = new Set(outdated.flatMap((sdk) => sdk.applications));
  const [known, seen] = await Promise.all([applicationEntity.some(request, named), seenApplications(request, named)]);
  const isMeant = (appName: string) => known.has(appName) && seen.has(appName) && (ofProject?.has(appName) ?? true);
  return outdated
    .map((sdk) => ({ ...sdk, applications: sdk.applications.filter(isMeant) }))
    .filter((sdk) => sdk.applications.length > 0);
}
