import { isSameChecksum, loadLedger, type ShelfChecksum } from '../../projects/ledger.ts';
import { listProjectIds } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import { LostRace } from '../../store/transactions/retry.ts';
import { mapChunks } from '../../values/lists.ts';

/** A project whose features were read at one moment. */
interface Read {
  readonly project: string;
  readonly marks: ShelfChecksum;
}

/**
 * A feature that goes from one project to another is for a moment in both or in none of them, since each is read by itself.
 * @throws LostRace where one of two shelves was read before such a move and the other one after it, or that is unknown.
 */
export function assertNoneMoved(shelves: readonly Read[]): void {
  if (shelves.length < 2) return;
  const moves = new Map(shelves.map(({ project, marks }) => [project, marks.moves]));
  for (const [project, own] of moves) {
    if (own === undefined) throw new LostRace();
    for (const [there, here] of [
      ['to', 'from'],
      ['from', 'to'],
    ] as const) {
      for (const [other, amount] of own[here]) {
        const opposite = moves.get(other)?.[there].get(project) ?? 0;
        if (moves.has(other) && opposite !== amount) throw new LostRace();
      }
    }
  }
}

/**
 * As `assertNoneMoved`, for the shelves of all projects that were there when they were listed: a feature may also have
 * gone to a project that is new since then.
 * @throws LostRace where one has.
 */
export async function assertNoneMissing(request: Request, shelves: readonly Read[]): Promise<void> {
  assertNoneMoved(shelves);
  const projects = new Set(shelves.map(({ project }) => project));
  const targets = shelves.flatMap(({ marks }) => {
    if (marks.moves === undefined) throw new LostRace();
    return [...marks.moves.to.keys()];
  });
  const others = new Set(targets.filter((id) => !projects.has(id)));
  // Most of these were deleted; their marks stay.
  if (others.size > 0 && (await listProjectIds(request)).some((id) => others.has(id))) throw new LostRace();
}

/** The number of projects that are read at the same time. */
const projectsAtOnce = 16;

/** A feature, and the segments that its strategies name. */
interface Naming {
  readonly project: string;
  readonly strategies: readonly { readonly segments?: readonly number[] }[];
}

/**
 * A segment can be deleted only when no strategy uses it. So where one is missing and the features that name it have not
 * changed since, it was not deleted during the read: a strategy names a segment that does not exist, and matches nobody.
 * @param shelves those of the features, which were read before the segments.
 * @param found the segments by their ids.
 * @throws LostRace where a project has changed in which a feature names a missing one.
 */
export async function assertNoneDeleted(
  request: Request,
  shelves: readonly Read[],
  features: readonly Naming[],
  found: ReadonlyMap<number, unknown>,
): Promise<void> {
  const isMissing = (id: number) => !found.has(id);
  const naming = features.filter(({ strategies }) => strategies.some(({ segments }) => segments?.some(isMissing)));
  const projects = new Set(naming.map(({ project }) => project));
  const doubtful = shelves.filter(({ project }) => projects.has(project));
  await mapChunks(doubtful, projectsAtOnce, async ({ project, marks }) => {
    if (!isSameChecksum(marks, (await loadLedger(request, project)).checksum)) throw new LostRace();
  });
}
