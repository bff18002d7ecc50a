import { loadProject } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import { applicationEntity, listVisibleApplications } from './applications.ts';
import { listApplicationsOf, listSdks } from './instances.ts';

/** The first version of each SDK that is not outdated, as in Unleash 7.6. */
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

/** Tells whether an SDK, such as `unleash-node-sdk:6.12.1`, is outdated; false for an unknown SDK. */
export function isOutdated(sdk: string): boolean {
  const [name = '', version = ''] = sdk.split(':');
  const first = Object.hasOwn(firstVersions, name) ? firstVersions[name] : undefined;
  const parts = /^v?(\d+)\.(\d+)\.(\d+)(-.+)?(?:\+.*)?$/.exec(version);
  if (first === undefined || parts === null) return false;
  const numbers = parts.slice(1, 4).map(Number);
  const firstNumbers = first.split('.').map(Number);
  const index = numbers.findIndex((number, position) => number !== firstNumbers[position]);
  // A prerelease is older than its release.
  return index === -1 ? parts[4] !== undefined : Number(numbers[index]) < Number(firstNumbers[index]);
}

/**
 * Lists the outdated SDKs of all applications, or of those that use features of a project, each with its applications.
 * @throws ApiError 404 for an unknown project.
 */
export async function listOutdatedSdks(request: Request, project?: string) {
  const [sdks, projectApplications] = await Promise.all([
    listSdks(request),
    project === undefined ? undefined : listApplicationsOf(request, project),
    project === undefined ? undefined : loadProject(request, project),
  ]);
  const outdated = sdks.filter(({ sdkVersion }) => isOutdated(sdkVersion));
  const names = new Set(outdated.flatMap((sdk) => sdk.applications));
  const [known, visible] = await Promise.all([
    applicationEntity.findSome(request, names),
    listVisibleApplications(request, names),
  ]);
  const isListed = (appName: string) =>
    known.has(appName) && visible.has(appName) && (projectApplications?.has(appName) ?? true);
  return outdated
    .map((sdk) => ({ ...sdk, applications: sdk.applications.filter(isListed) }))
    .filter((sdk) => sdk.applications.length > 0);
}
