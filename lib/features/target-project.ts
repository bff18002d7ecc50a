import { type ErrorDetail, invalidRequest } from '../errors.ts';
import { readProjectFeaturesLimit, readProjectFeaturesWarning } from '../limits.ts';
import { findMisnamed } from '../projects/feature-naming.ts';
import { type FeatureCounts, loadFeatureCounts } from '../projects/ledger.ts';
import { loadProject, type Project, requireActive } from '../projects/projects.ts';
import type { Request } from '../request.ts';

/** A project that will receive features. */
export interface TargetProject {
  readonly project: Project;
  /** Number of features of the project. */
  readonly counts: Pick<FeatureCounts, 'live' | 'archived'>;
}

/**
 * Reads a project that will receive features, and adds a warning to the reply if the project has many.
 * @throws ApiError 404 for an unknown or archived project.
 */
export async function loadTargetProject(request: Request, projectId: string): Promise<TargetProject> {
  const [project, counts] = await Promise.all([loadProject(request, projectId), loadFeatureCounts(request, projectId)]);
  requireActive(project);
  const warningAt = readProjectFeaturesWarning();
  if (counts.live + counts.archived >= warningAt) {
    // The text does not name the current count: a retry of the change must not add a second warning to the set.
    request.warnings.add(
      `The project has ${warningAt} features or more, archived ones included; lists, searches and SDKs slow down. The limit is ${readProjectFeaturesLimit()}.`,
    );
  }
  return { project, counts };
}

/** @throws ApiError 400 for a name that violates the project's naming pattern, or too many features. */
export function requireNameAndCapacity({ project, counts }: TargetProject, name: string): void {
  const reason = findMisnamed(project.featureNaming, [name]).get(name);
  const problems: ErrorDetail[] = [
    ...(reason === undefined ? [] : [{ message: reason, path: 'name' }]),
    ...listCapacityProblems(project, counts, { live: 1, archived: 0 }),
  ];
  if (problems.length > 0) throw invalidRequest(problems);
}

/** Reads the counts that `requireCapacity` needs; undefined for a project without a limit of live features. */
export async function loadCapacity(
  request: Request,
  { id, featureLimit }: Project,
): Promise<FeatureCounts | undefined> {
  return featureLimit === null ? undefined : loadFeatureCounts(request, id);
}

/**
 * @param revived number of archived features of the project that the request revives.
 * @throws ApiError 400 for more live features than the project may have.
 */
export function requireCapacity(project: Project, counts: FeatureCounts | undefined, revived: number): void {
  const problems = counts && revived > 0 ? listLiveProblems(project, counts.live + revived) : [];
  if (problems.length > 0) throw invalidRequest(problems);
}

/** Lists the limits that additional features would exceed; concurrent writers may exceed a limit by a few features. */
export function listCapacityProblems(
  project: LimitedProject,
  counts: TargetProject['counts'],
  added: TargetProject['counts'],
): ErrorDetail[] {
  const max = readProjectFeaturesLimit();
  const total = counts.live + counts.archived + added.live + added.archived;
  return [
    ...(added.live > 0 ? listLiveProblems(project, counts.live + added.live) : []),
    ...(added.live + added.archived > 0 && total > max
      ? [
          {
            message: `A project may have at most ${max} features, archived ones included; "${project.id}" would have ${total}.`,
          },
        ]
      : []),
  ];
}

type LimitedProject = Pick<Project, 'id' | 'featureLimit'>;

function listLiveProblems({ id, featureLimit }: LimitedProject, live: number): ErrorDetail[] {
  if (featureLimit === null || live <= featureLimit) return [];
  return [{ message: `The project "${id}" may have at most ${featureLimit} features that are not archived.` }];
}
