import type { EnvironmentOfProject } from '../../environments/environment-schema.ts';
import { bySortOrder, environments, environmentView, listEnvironments } from '../../environments/environments.ts';
import { loadReadModels } from '../../features/read-model/read-model.ts';
import { loadDefaultStrategies } from '../../features/strategies/default-strategy.ts';
import { allProjects, type TokenScope } from '../../identity/tokens/token.ts';
import { loadTokens, scopeOf } from '../../identity/tokens/tokens.ts';
import { loadFeatureCounts } from '../../projects/ledger.ts';
import { loadProject, projectEnvironmentOf, projects } from '../../projects/projects.ts';
import { isVisibleIn, type Request, seesAllProjects, withAllProjects } from '../../request.ts';

/**
 * Lists all environments in their order, each with the numbers of its projects, tokens and enabled features. Those of
 * projects hidden from the caller are not counted.
 */
export async function listEnvironmentsWithCounts(request: Request): ReturnType<typeof listEnvironments> {
  const { hiddenProjects } = request;
  if (seesAllProjects(request)) return listEnvironments(request);
  const systemRequest = withAllProjects(request);
  const [all, hidden, readModels, tokens] = await Promise.all([
    listEnvironments(request),
    projects.findSome(systemRequest, hiddenProjects),
    loadReadModels(systemRequest, [...hiddenProjects]),
    loadTokens(systemRequest),
  ]);
  const scopes = tokens
    .flatMap((token) => scopeOf(token) ?? [])
    .filter((scope) => !isVisibleIn(request, scope.projects));
  const features = readModels.flatMap((readModel) => [...readModel.features.values()]);
  return all.map(({ projectCount, apiTokenCount, enabledToggleCount, ...environment }) => {
    const { name } = environment;
    const hiddenCount = [...hidden.values()].filter(
      (project) => projectEnvironmentOf(project, name) !== undefined,
    ).length;
    return {
      ...environment,
      projectCount: projectCount - hiddenCount,
      apiTokenCount: apiTokenCount - scopes.filter((scope) => scope.environment === name).length,
      enabledToggleCount: enabledToggleCount - features.filter(({ summaries }) => summaries.get(name)?.enabled).length,
    };
  });
}

/**
 * Lists all environments in their order, each with its counts in a project, and `visible` if the project has it.
 * @throws ApiError 404 for an unknown project.
 */
export async function listEnvironmentsOfProject(request: Request, projectId: string): Promise<EnvironmentOfProject[]> {
  const [project, all, defaults, counts, tokens] = await Promise.all([
    loadProject(request, projectId),
    environments.list(request),
    loadDefaultStrategies(request, projectId),
    loadFeatureCounts(request, projectId),
    loadTokens(request),
  ]);
  const scopes = tokens.flatMap((token) => scopeOf(token) ?? []);
  const isForProject = ({ projects }: TokenScope) => projects.includes(projectId) || projects.includes(allProjects);
  return all.toSorted(bySortOrder).map((environment) => {
    const { name } = environment;
    const defaultStrategy = defaults.get(name)?.strategy;
    return {
      ...environmentView(environment),
      visible: projectEnvironmentOf(project, name) !== undefined,
      projectApiTokenCount: scopes.filter((scope) => scope.environment === name && isForProject(scope)).length,
      projectEnabledToggleCount: counts.on.get(name) ?? 0,
      ...(defaultStrategy !== undefined && { defaultStrategy }),
    };
  });
}
