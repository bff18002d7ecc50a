/** A place in a reply where ours is not as theirs. */
export interface Difference {
  /** `features.[].name`; empty for the reply as a whole. */
  readonly path: string;
  readonly kind: 'status' | 'missing' | 'added' | 'type' | 'length' | 'value';
  readonly theirs: unknown;
  readonly ours: unknown;
}

/** Values that differ on each server, and in each run. */
const passing: readonly [pattern: RegExp, kind: string][] = [
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/, '<time>'],
  [/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/, '<id>'],
  [/^[\dA-HJKMNP-TV-Z]{26}$/, '<id>'],
];

/** Numbers that count what a server has made so far. */
const countedKeys = new Set(['id', 'createdByUserId', 'userId', 'segments', 'segmentIds']);

/**
 * Lists the places where two replies differ. Times and ids count as equal, and so do the values that the steps have kept
 * of either server.
 * @param kept the values that stand for themselves in a reply, by name, for each server.
 */
export function differencesOf(
  theirs: { readonly value: unknown; readonly kept: ReadonlyMap<string, string> },
  ours: { readonly value: unknown; readonly kept: ReadonlyMap<string, string> },
): Difference[] {
  return compare(stable(theirs.value, namesOf(theirs.kept)), stable(ours.value, namesOf(ours.kept)), '');
}

function namesOf(kept: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...kept].map(([name, value]) => [value, `<${name}>`]));
}

function stable(value: unknown, names: ReadonlyMap<string, string>, key = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => stable(each, names, key));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, stable(each, names, name)]));
  }
  if (typeof value === 'number') return countedKeys.has(key) ? '<number>' : value;
  if (typeof value !== 'string') return value;
  return names.get(value) ?? passing.find(([pattern]) => pattern.test(value))?.[1] ?? value;
}

function compare(theirs: unknown, ours: unknown, path: string): Difference[] {
  const differenceOf = (kind: Difference['kind']): Difference[] => [{ path, kind, theirs, ours }];
  if (kindOf(theirs) !== kindOf(ours)) return differenceOf('type');
  if (Array.isArray(theirs) && Array.isArray(ours)) {
    if (theirs.length !== ours.length) return differenceOf('length');
    return theirs.flatMap((each, index) => compare(each, ours[index], below(path, '[]')));
  }
  if (isRecord(theirs) && isRecord(ours)) {
    return [...new Set([...Object.keys(theirs), ...Object.keys(ours)])].flatMap((key): Difference[] => {
      const at = below(path, key);
      if (!(key in ours)) return [{ path: at, kind: 'missing', theirs: theirs[key], ours: undefined }];
      if (!(key in theirs)) return [{ path: at, kind: 'added', theirs: undefined, ours: ours[key] }];
      return compare(theirs[key], ours[key], at);
    });
  }
  return theirs === ours ? [] : differenceOf('value');
}

function below(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return kindOf(value) === 'object';
}
