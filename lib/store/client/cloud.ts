/**
 * Tells whether an address is one of Amazon's own stores, whose tables cost money and whose callers have to be known.
 */
export function isCloud(endpoint: string): boolean {
  return /\.(amazonaws\.com|amazonaws\.com\.cn|api\.aws)$/i.test(URL.parse(endpoint)?.hostname ?? '');
}
