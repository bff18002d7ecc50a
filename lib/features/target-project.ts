import { type ErrorDetail, invalidRequest } from '../errors.ts';
import { misnamed } from '../projects/feature-naming.ts';
import { loadProject, type Project, requireActive } from '../projects/projects.ts';
import type { Table } from '../table/table.ts';
import { loadFeatureCounts } from './feature-counts.ts';

/** A project that is to receive features. */
export interface TargetProject {
  readonly project: Project;
  /** How many live features it has; 0 where it may have any number. */
  readonly live: number;
}

/** @throws ApiError 404 for an unknown project, and for an archived one. */
export async function loadTarget(table: Table, projectId: string): Promise<TargetProject> {
  const project = requireActive(await loadProject(table, projectId));
  return { project, live: project.featureLimit === null ? 0 : (await loadFeatureCounts(table, projectId)).live };
}

/** @throws ApiError 400 for a name that the project does not allow, and for one feature too many. */
export function requireAllowed({ project, live }: TargetProject, name: string): void {
  const reason = misnamed(project.featureNaming, [name]).get(name);
  const problems: ErrorDetail[] = [
    ...(reason === undefined ? [] : [{ message: reason, path: 'name' }]),
    ...tooMany(project, live + 1),
  ];
  if (problems.length > 0) throw invalidRequest(problems);
}

/** What is wrong with so many live features in a project; writers at the same moment may pass the limit by a few. */
export function tooMany({ id, featureLimit }: Pick<Project, 'id' | 'featureLimit'>, live: number): ErrorDetail[] {
  if (featureLimit === null || live <= featureLimit) return [];
  return [{ message: `The project "${id}" may have at most ${featureLimit} features that are not archived.` }];
}
