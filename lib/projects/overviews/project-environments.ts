import type { EnvironmentOfProject } from '../../environments/environment-schema.ts';
import { bySortOrder, environments, environmentView } from '../../environments/environments.ts';
import type { Request } from '../../request.ts';
import { allProjects, type TokenScope } from '../../tokens/token.ts';
import { loadTokens, scopeOf } from '../../tokens/tokens.ts';
import { loadDefaultStrategies } from '../default-strategy.ts';
import { loadFeatureCounts } from '../ledger.ts';
import { loadProject, projectEnvironmentOf } from '../projects.ts';

/**
 * Lists all environments in their order, each with `visible` where the project has it, and with its counts there.
 * @throws ApiError 404 where there is no such project.
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
