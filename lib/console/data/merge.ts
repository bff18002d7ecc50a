/** A part that two people have changed in different ways. */
export interface MergeConflict {
  /** The name of the part: `title`, or `parameters.rollout` for an entry of a part that has names itself. */
  readonly part: string;
  readonly opened: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}

interface Merged<T> {
  /** All changes of both sides; where they conflict, mine. */
  readonly merged: T;
  readonly conflicts: readonly MergeConflict[];
}

type Parts = Readonly<Record<string, unknown>>;

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

const isParts = (value: unknown): value is Parts =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Merges my edits with those of somebody else, part by part: a part that one side left as it was gets the value of the other
 * side. A list is one part, since its elements mean something together.
 */
export function mergeEdits<T extends object>(opened: T, mine: T, current: T): Merged<T> {
  const { merged, conflicts } = mergeParts(opened as Parts, mine as Parts, current as Parts, '');
  return { merged: merged as T, conflicts };
}

function mergeParts(opened: Parts, mine: Parts, current: Parts, prefix: string): Merged<Parts> {
  const merged: Record<string, unknown> = {};
  const conflicts: MergeConflict[] = [];
  for (const name of new Set([...Object.keys(mine), ...Object.keys(current)])) {
    const [was, my, their] = [opened[name], mine[name], current[name]];
    if (isParts(was) && isParts(my) && isParts(their)) {
      const inner = mergeParts(was, my, their, `${prefix}${name}.`);
      merged[name] = inner.merged;
      conflicts.push(...inner.conflicts);
      continue;
    }
    const isConflict = !isSame(my, was) && !isSame(their, was) && !isSame(my, their);
    if (isConflict) conflicts.push({ part: prefix + name, opened: was, mine: my, theirs: their });
    const value = isSame(my, was) ? their : my;
    if (value !== undefined) merged[name] = value;
  }
  return { merged, conflicts };
}

/** Replaces parts of merged edits by those of the other person. @param parts the names of these parts. */
export function takeTheirs<T extends object>(
  merged: T,
  conflicts: readonly MergeConflict[],
  parts: ReadonlySet<string>,
): T {
  return conflicts
    .filter(({ part }) => parts.has(part))
    .reduce((value, { part, theirs }) => replacePart(value as Parts, part.split('.'), theirs) as T, merged);
}

function replacePart(value: Parts, [name = '', ...rest]: readonly string[], replacement: unknown): Parts {
  const inner = rest.length === 0 ? replacement : replacePart(value[name] as Parts, rest, replacement);
  const { [name]: _replaced, ...others } = value;
  return inner === undefined ? others : { ...value, [name]: inner };
}
