/** Names of the variables in a path, such as `projectId` in `/api/admin/projects/{projectId}`. */
type PathNames<P extends string> = P extends `${string}{${infer N}}${infer R}` ? N | PathNames<R> : never;

export type PathValues<P extends string> = Readonly<Record<PathNames<P>, string | number>>;

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

declare const answer: unique symbol;

/** An address of the API, with the type of its answer. */
export type ApiAddress<T> = string & { readonly [answer]?: T };

/**
 * Fills in the variables of a path, escaped, and adds a query without undefined values. Browsers would take a value of one or two
 * dots for a step in the path, also where it is escaped once; escaped twice, it is a name that nothing has.
 */
export function fillPath(path: string, values: Readonly<Record<string, string | number>>, query: Query = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? '');
    return /^\.{1,2}$/.test(value) ? value.replaceAll('.', '%252E') : encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const each of Array.isArray(value) ? value : [value]) search.append(name, String(each));
  }
  return search.size === 0 ? filled : `${filled}?${search}`;
}
