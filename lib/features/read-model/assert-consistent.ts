import { isSameChecksum, loadLedger, type ReadModelChecksum } from '../../projects/ledger.ts';
import { listProjectIds } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import { LostRace } from '../../store/transactions/retry.ts';
import { mapChunks } from '../../values/lists.ts';

/** The checksum of a project whose features were read consistently. */
interface LoadedReadModel {
  readonly project: string;
  readonly checksum: ReadModelChecksum;
}

/**
 * Checks that no feature moved between the reads of two read models: such a feature would be in both of them or in none.
 * Each project counts the moves to and from each other project, and the counts of two projects must match.
 * @throws LostRace if a feature moved, or if the moves are unknown.
 */
export function assertNoneMoved(readModels: readonly LoadedReadModel[]): void {
  if (readModels.length < 2) return;
  const moves = new Map(readModels.map(({ project, checksum }) => [project, checksum.moves]));
  for (const [project, own] of moves) {
    if (own === undefined) throw new LostRace();
    for (const [direction, opposite] of [
      ['from', 'to'],
      ['to', 'from'],
    ] as const) {
      for (const [other, amount] of own[direction]) {
        const otherAmount = moves.get(other)?.[opposite].get(project) ?? 0;
        if (moves.has(other) && otherAmount !== amount) throw new LostRace();
      }
    }
  }
}

/**
 * Checks the read models of all listed projects as `assertNoneMoved` does, and that no feature moved to a project that was
 * created after the list was read.
 * @throws LostRace if a feature moved.
 */
export async function assertNoneMissing(request: Request, readModels: readonly LoadedReadModel[]): Promise<void> {
  assertNoneMoved(readModels);
  const projects = new Set(readModels.map(({ project }) => project));
  const targets = readModels.flatMap(({ checksum }) => {
    if (checksum.moves === undefined) throw new LostRace();
    return [...checksum.moves.to.keys()];
  });
  const unread = new Set(targets.filter((id) => !projects.has(id)));
  // Most of these projects were deleted, since the counts of moves stay.
  if (unread.size > 0 && (await listProjectIds(request)).some((id) => unread.has(id))) throw new LostRace();
}

/** The number of projects that are read at the same time. */
const projectsAtOnce = 16;

/** A feature's project, and the segments of its strategies. */
interface SegmentUser {
  readonly project: string;
  readonly strategies: readonly { readonly segments?: readonly number[] }[];
}

/**
 * Checks that no used segment was deleted between the reads of features and segments. A segment can only be deleted while
 * no strategy uses it. So if the features that name a missing segment have not changed since, their strategies name a
 * segment that does not exist, and match no users.
 * @param readModels the read models of the features, which were read before the segments.
 * @param segmentsById the segments that were found.
 * @throws LostRace if a project with such a feature has changed.
 */
export async function assertNoneDeleted(
  request: Request,
  readModels: readonly LoadedReadModel[],
  features: readonly SegmentUser[],
  segmentsById: ReadonlyMap<number, unknown>,
): Promise<void> {
  const isMissing = (id: number) => !segmentsById.has(id);
  const users = features.filter(({ strategies }) => strategies.some(({ segments }) => segments?.some(isMissing)));
  const projects = new Set(users.map(({ project }) => project));
  const toCheck = readModels.filter(({ project }) => projects.has(project));
  await mapChunks(toCheck, projectsAtOnce, async ({ project, checksum }) => {
    if (!isSameChecksum(checksum, (await loadLedger(request, project)).checksum)) throw new LostRace();
  });
}
