/**
 * Matches a path against a pattern such as `/projects/:project/features/:feature`.
 * @returns the decoded values of its names; undefined if the path is another one.
 */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const parts = pattern.split('/');
  const given = path.split('/');
  if (parts.length !== given.length) return undefined;
  const values: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const text = given[index] ?? '';
    if (!part.startsWith(':')) {
      if (part !== text) return undefined;
      continue;
    }
    if (text === '') return undefined;
    try {
      values[part.slice(1)] = decodeURIComponent(text);
    } catch {
      return undefined;
    }
  }
  return values;
}
