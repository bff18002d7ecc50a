/** Returns the header with the next page of a list (RFC 8288). Undefined values of the query are omitted. */
export function linkToNext(path: string, query: Readonly<Record<string, string | number | undefined>>) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  return { link: `<${path}?${parameters}>; rel="next"` };
}
