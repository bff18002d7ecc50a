import { type ErrorDetail, invalidRequest } from '../errors.ts';
import { readProjectFeaturesLimit, readProjectFeaturesWarning } from '../limits.ts';
import { findMisnamed } from '../projects/feature-naming.ts';
import { type FeatureCounts, loadFeatureCounts } from '../projects/ledger.ts';
import { loadProject, type Project, requireActive } from '../projects/projects.ts';
import type { Request } from '../request.ts';

/** A project that is to receive features. */
export interface TargetProject {
  readonly project: Project;
  /** Number of features of the project. */
  readonly counts: Pick<FeatureCounts, 'live' | 'archived'>;
}

/**
 * Reads a project that is to receive features, with a warning where it has many.
 * @throws ApiError 404 for an unknown project, and for an archived one.
 */
export async function loadTarget(request: Request, projectId: string): Promise<TargetProject> {
  const [project, counts] = await Promise.all([loadProject(request, projectId), loadFeatureCounts(request, projectId)]);
  requireActive(project);
  const many = readProjectFeaturesWarning();
  if (counts.live + counts.archived >= many) {
    const max = readProjectFeaturesLimit();
    // The same text each time the change is tried, so that it is said once.
    request.warnings.add(
      `The project has ${many} features or more of at most ${max}, archived ones included: lists, searches and SDKs slow down.`,
    );
  }
  return { project, counts };
}

/** @throws ApiError 400 for a name that the project does not allow, and for one feature too many. */
export function requireAllowed({ project, counts }: TargetProject, name: string): void {
  const reason = findMisnamed(project.featureNaming, [name]).get(name);
  const problems: ErrorDetail[] = [
    ...(reason === undefined ? [] : [{ message: reason, path: 'name' }]),
    ...roomProblems(project, counts, { live: 1, archived: 0 }),
  ];
  if (problems.length > 0) throw invalidRequest(problems);
}

/** Reads the counts of a project whose archived features are to be revived; undefined where it may have any number. */
export async function loadRoom(request: Request, { id, featureLimit }: Project): Promise<FeatureCounts | undefined> {
  return featureLimit === null ? undefined : loadFeatureCounts(request, id);
}

/** @throws ApiError 400 for more live features than the project may have once some of its own are revived. */
export function requireRoom(project: Project, room: FeatureCounts | undefined, revived: number): void {
  const problems = room && revived > 0 ? liveProblems(project, room.live + revived) : [];
  if (problems.length > 0) throw invalidRequest(problems);
}

/** Lists the problems of adding features to a project; concurrent writers may exceed a limit by a few. */
export function roomProblems(
  project: Limited,
  counts: TargetProject['counts'],
  more: TargetProject['counts'],
): ErrorDetail[] {
  const max = readProjectFeaturesLimit();
  const total = counts.live + counts.archived + more.live + more.archived;
  return [
    ...(more.live > 0 ? liveProblems(project, counts.live + more.live) : []),
    ...(more.live + more.archived > 0 && total > max
      ? [
          {
            message: `A project may have at most ${max} features, archived ones included; "${project.id}" would have ${total}.`,
          },
        ]
      : []),
  ];
}

type Limited = Pick<Project, 'id' | 'featureLimit'>;

function liveProblems({ id, featureLimit }: Limited, live: number): ErrorDetail[] {
  if (featureLimit === null || live <= featureLimit) return [];
  return [{ message: `The project "${id}" may have at most ${featureLimit} features that are not archived.` }];
}
