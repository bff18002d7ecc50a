/** Returns the header that leads to the next page of a list (RFC 8288); undefined values are left out of its query. */
export function linkToNext(path: string, query: Readonly<Record<string, string | number | undefined>>) {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return { link: `<${path}?${given}>; rel="next"` };
}
