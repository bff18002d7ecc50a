import { isDeepStrictEqual } from 'node:util';
import type { FeaturePath } from '../features/feature.ts';
import { loadProject } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { compareFlags } from './compare-flags.ts';
import { type EarlierFlag, listUsedSegments } from './earlier-flag.ts';
import type { PointInTime } from './moment-schema.ts';
import { type RebuiltFlag, rebuildFlag } from './rebuild-flag.ts';
import { type RebuiltSegments, rebuildSegments } from './segments-at.ts';
import type { FeatureDifference } from './time-travel-schema.ts';

/**
 * Compares a feature at two moments. One that did not exist counts as an archived feature without content.
 * @param to the later moment; now if it is missing.
 * @throws ApiError 404 as `getFlagThen` does.
 */
export async function compareMoments(
  request: Request,
  path: FeaturePath,
  {
    from,
    to = { time: new Date().toISOString() },
  }: { readonly from: PointInTime; readonly to?: PointInTime | undefined },
): Promise<FeatureDifference> {
  const [, before, after] = await Promise.all([
    loadProject(request, path.projectId),
    rebuildFlag(request, path, from),
    rebuildFlag(request, path, to),
  ]);
  const [oldSegments, newSegments] = await Promise.all([loadSegments(request, before), loadSegments(request, after)]);
  return viewDifference(path.featureName, [before, oldSegments], [after, newSegments]);
}

/** A feature at a moment, and segments as they were then. */
type Side = readonly [RebuiltFlag, RebuiltSegments];

/** Returns the view of the changes of a feature between two moments. */
export function viewDifference(
  name: string,
  [before, oldSegments]: Side,
  [after, newSegments]: Side,
): FeatureDifference {
  const known = before.state ?? after.state;
  const { fields, dependencies, environments } = known
    ? compareFlags(before.state ?? toNothing(known), after.state ?? toNothing(known))
    : { fields: [], dependencies: [], environments: new Map() };
  const used = new Set(after.state ? listUsedSegments(after.state) : []);
  return {
    name,
    from: viewMoment(before, oldSegments),
    to: viewMoment(after, newSegments),
    fields: [...fields],
    dependencies: [...dependencies],
    environments: [...environments].map(([environment, changes]) => ({ name: environment, changes: [...changes] })),
    segments: compareSegments(oldSegments, newSegments).filter(({ id }) => used.has(id)),
  };
}

function loadSegments(request: Request, { state, until }: RebuiltFlag): Promise<RebuiltSegments> {
  return rebuildSegments(request, state ? listUsedSegments(state) : [], until);
}

/** Returns the state of a feature of which SDKs get nothing, for a moment at which it did not exist. */
function toNothing(flag: EarlierFlag): EarlierFlag {
  return { ...flag, archived: true, dependencies: [], environments: new Map() };
}

function viewMoment({ state, until, doubts: own }: RebuiltFlag, segments: RebuiltSegments): FeatureDifference['from'] {
  const doubts = [...own, ...segments.doubts];
  return { at: until, exact: doubts.length === 0, doubts, exists: state !== undefined };
}

function compareSegments(before: RebuiltSegments, after: RebuiltSegments): FeatureDifference['segments'] {
  return [...after.segments.values()].flatMap(({ id, name, constraints }) => {
    const old = before.segments.get(id);
    return old === undefined || isDeepStrictEqual(old.constraints, constraints)
      ? []
      : [{ id, name, before: [...old.constraints], after: [...constraints] }];
  });
}
