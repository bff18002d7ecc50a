import type * as registry from '../../../../functions/index.ts';
import { type Operation, targetOf } from '../operations.ts';
import type { Project } from './callers.ts';

/** A request that changes something where it is allowed the first time, if it is one that changes anything. */
export interface AccessRequest {
  readonly project: Project;
  readonly method: Operation['method'];
  readonly target: string;
  readonly body: object | undefined;
}

const featureIn: Readonly<Record<Project, string>> = { shop: 'checkout', default: 'landing' };

/** Where the body names a project, a feature, or what exists in one project only. */
const bodies: Partial<Record<keyof typeof registry, (project: Project) => object>> = {
  addDefaultStrategyToProjectEnvironment: () => ({ name: 'default' }),
  addEnvironmentToProject: () => ({ environment: 'default' }),
  addFeatureStrategy: () => ({ name: 'default' }),
  bulkToggleFeaturesEnvironmentOff: (project) => ({ features: [featureIn[project]] }),
  importToggles: (project) => importOf(project, { description: 'Imported' }),
  updateFeature: () => ({ description: 'Updated' }),
};

/** Makes sure that each project has its feature, which is on. */
export function importOf(project: Project, fields: object = {}): object {
  const name = featureIn[project];
  const data = {
    features: [{ name, ...fields }],
    featureStrategies: [],
    featureEnvironments: [{ name: 'development', featureName: name, enabled: true }],
    tagTypes: [],
  };
  return { project, environment: 'development', data };
}

/** The request of an operation in each of the projects, or one request where it has nothing to do with projects. */
export function requestsOf({ operationId, declaration, method, body }: Operation): AccessRequest[] {
  const [shop, other] = (['shop', 'default'] as const).map((project) => ({
    project,
    method,
    target: targetOf(declaration.path, { projectId: project, featureName: featureIn[project] }),
    body: bodies[operationId as keyof typeof registry]?.(project) ?? body,
  }));
  if (shop === undefined || other === undefined) return [];
  const isSame = shop.target === other.target && JSON.stringify(shop.body) === JSON.stringify(other.body);
  return isSame ? [shop] : [shop, other];
}
