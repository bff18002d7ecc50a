import { approvalsOf } from '../change-requests/change-request.ts';
import { listOpen } from '../change-requests/change-requests.ts';
import { ignoreNotFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import type { Event } from '../events/event-schema.ts';
import { viewImpactChart } from '../features/chart.ts';
import type { FeaturePath } from '../features/feature.ts';
import { listFeatureEvents } from '../features/feature-event-store.ts';
import type { FeatureView } from '../features/feature-schema.ts';
import { getFeature, getFeatureWithCharts } from '../features/get-feature.ts';
import { loadDefaultStrategies, type StoredDefaultStrategy } from '../features/strategies/default-strategy.ts';
import { type HourOfUsage, listAllHours } from '../features/use/feature-usage.ts';
import { loadProject, type Project } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { segments } from '../segments/segments.ts';
import { listInstances } from '../usage/applications/instances.ts';
import type { ConsoleFlag } from './flag-schema.ts';
import { loadPersonNames, nameAuthor } from './person-names.ts';
import { showEvents } from './show-events.ts';

/** The data of the page, with the version of the flag. */
type LoadedFlag = Omit<ConsoleFlag, 'version'> & { readonly version: number };

/** The most events that the page shows at first. */
const eventsMax = 10;

/** The most applications whose instances are read. */
const applicationsMax = 10;

/** The most instances of an application that are read. */
const instancesMax = 1_000;

const hoursShown = 24;

/**
 * Loads the page of a flag.
 * @throws ApiError 404 for an unknown project or feature, and for an archived one.
 */
export async function loadFlag(request: Request, user: Actor, path: FeaturePath): Promise<LoadedFlag> {
  const { projectId, featureName } = path;
  const [{ value, version }, project, usage, { events }, open, defaults] = await Promise.all([
    getFeatureWithCharts(request, user, path),
    loadProject(request, projectId),
    listAllHours(request, featureName, hoursShown),
    listFeatureEvents(request, featureName, { limit: 2 * eventsMax }),
    listOpen(request, user, projectId),
    loadDefaultStrategies(request, projectId),
  ]);
  const { view: feature, charts } = value;
  const requestsOnFlag = open.filter(({ changes }) => changes.some((change) => change.feature === featureName));
  const [{ parents, used }, applications, shown, names] = await Promise.all([
    loadParents(request, user, feature),
    listApplications(request, usage),
    showEvents(request, pickEvents(events)),
    loadPersonNames(
      request,
      [...requestsOnFlag, feature].map(({ createdBy }) => createdBy.id),
    ),
  ]);
  const author = names.get(feature.createdBy.id) ?? feature.createdBy.name;
  return {
    feature: { ...feature, createdBy: { ...feature.createdBy, name: author } },
    parents,
    version,
    environments: feature.environments.map(({ name }) => showEnvironment(name, project, usage, defaults.get(name))),
    segments: [...used.values()].map(({ id, name, constraints }) => ({ id, name, constraints })),
    applications,
    requests: requestsOnFlag.map((changeRequest) => ({
      id: changeRequest.id,
      ...(changeRequest.title !== undefined && { title: changeRequest.title }),
      state: changeRequest.state,
      environment: changeRequest.environment,
      author: nameAuthor(names, changeRequest.createdBy),
      createdAt: changeRequest.createdAt,
      approvals: approvalsOf(changeRequest).length,
      minApprovals: changeRequest.minApprovals,
    })),
    events: shown,
    charts: charts.map(viewImpactChart),
  };
}

/** Picks the first events of the history. Favorites are left out. */
function pickEvents(events: readonly string[]): Event[] {
  const parsed = events.map((text) => JSON.parse(text) as Event);
  return parsed.filter(({ type }) => !/favorited$/.test(type)).slice(0, eventsMax);
}

/** Loads the live flags that a flag depends on, and the segments that all of these flags use. */
async function loadParents(request: Request, user: Actor, feature: FeatureView) {
  const found = await Promise.all(
    feature.dependencies.map((parent) =>
      ignoreNotFound(getFeature(request, user, { projectId: feature.project, featureName: parent.feature })),
    ),
  );
  const parents = found.flatMap((parent) => parent?.value ?? []);
  const strategies = [feature, ...parents].flatMap(({ environments }) =>
    environments.flatMap((each) => [...each.strategies, ...listMilestoneStrategies(each)]),
  );
  const used = await segments.findSome(request, [
    ...new Set(strategies.flatMap((strategy) => strategy.segments ?? [])),
  ]);
  return { parents, used };
}

function listMilestoneStrategies({ releasePlans }: FeatureView['environments'][number]) {
  const milestones = releasePlans.flatMap((plan) => plan.milestones);
  return milestones.flatMap((milestone) => milestone.strategies);
}

function showEnvironment(
  name: string,
  project: Project,
  usage: readonly HourOfUsage[],
  byDefault: StoredDefaultStrategy | undefined,
): ConsoleFlag['environments'][number] {
  const approval = project.environments.find((environment) => environment.name === name)?.approval;
  const byHour = [
    ...Map.groupBy(
      usage.filter(({ environment }) => environment === name),
      ({ timestamp }) => timestamp,
    ),
  ]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, entries]) => entries);
  const sumOf = (answer: 'yes' | 'no') => byHour.map((entries) => entries.reduce((sum, each) => sum + each[answer], 0));
  return {
    name,
    ...(approval !== undefined && { approvals: approval.required }),
    ...(byDefault !== undefined && { defaultStrategy: byDefault.strategy }),
    yes: sumOf('yes'),
    no: sumOf('no'),
  };
}

/** Lists the applications that have evaluated a flag, those with the most calls first. */
async function listApplications(request: Request, usage: readonly HourOfUsage[]): Promise<ConsoleFlag['applications']> {
  const counted = [...Map.groupBy(usage, ({ appName, environment }) => `${environment}#${appName}`).values()]
    .flatMap((entries) => {
      const [first] = entries;
      if (first === undefined) return [];
      const calls = entries.reduce((sum, { yes, no }) => sum + yes + no, 0);
      return calls === 0 ? [] : [{ name: first.appName, environment: first.environment, calls }];
    })
    .toSorted((a, b) => b.calls - a.calls)
    .slice(0, applicationsMax);
  return Promise.all(
    counted.map(async (application) => {
      const instances = await request.store.limiter(() =>
        listInstances(request, application.name, application.environment, instancesMax),
      );
      const sdk = instances[0]?.sdkVersion;
      return { ...application, ...(sdk !== undefined && { sdk }), instances: instances.length };
    }),
  );
}
