/** Things in the order of their dependencies. */
export interface DependencyOrder<T> {
  /** Each stage needs only what the stages before it hold. */
  readonly stages: readonly T[][];
  /** What depends on itself in a circle, and what depends on that. */
  readonly circular: readonly T[];
}

/**
 * Puts things in stages, parents before children, in their own order otherwise; parents that are not among them do not
 * count. The time grows with the number of things and dependencies only.
 */
export function inDependencyOrder<T>(
  things: readonly T[],
  nameOf: (thing: T) => string,
  parentsOf: (thing: T) => readonly string[],
): DependencyOrder<T> {
  const names = new Set(things.map(nameOf));
  const openParents = new Map(
    things.map((thing) => [thing, new Set(parentsOf(thing).filter((parent) => names.has(parent)))]),
  );
  const childrenOf = Map.groupBy(
    things.flatMap((child) => [...(openParents.get(child) ?? [])].map((parent) => ({ parent, child }))),
    ({ parent }) => parent,
  );
  const stages: T[][] = [];
  let stage = things.filter((thing) => openParents.get(thing)?.size === 0);
  while (stage.length > 0) {
    stages.push(stage);
    stage = stage.flatMap((thing) =>
      (childrenOf.get(nameOf(thing)) ?? []).flatMap(({ child, parent }) => {
        const open = openParents.get(child);
        return open?.delete(parent) && open.size === 0 ? [child] : [];
      }),
    );
  }
  return { stages, circular: things.filter((thing) => openParents.get(thing)?.size !== 0) };
}
