/** The path of the groups, unless the settings name another. */
const defaultPath = 'groups';

/**
 * Returns the groups of a user at an identity provider. It is empty if the provider does not mention groups, as providers do for people
 * without any.
 * @param statement the claims of OpenID Connect, or the attributes of SAML.
 * @param path such as `groups`, `realm_access.roles` or `groups[*].name`. Names may contain dots.
 * @returns undefined if the provider refers to another place for the groups, so that they are unknown.
 */
export function readExternalGroups(statement: unknown, path: string = defaultPath): string[] | undefined {
  const names = (path.trim() || defaultPath).replace(/^\$\./, '').replaceAll('[*]', '').split('.');
  // For users in very many groups, Entra ID only returns an address to request them from.
  const elsewhere = Object(Object(statement)._claim_names);
  if (names[0] !== undefined && Object.hasOwn(elsewhere, names[0])) return undefined;
  return valuesAt(statement, names).filter((value) => typeof value === 'string');
}

function valuesAt(value: unknown, names: readonly string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((entry) => valuesAt(entry, names));
  if (names.length === 0) return [value];
  for (let count = names.length; count > 0; count -= 1) {
    const name = names.slice(0, count).join('.');
    if (Object.hasOwn(Object(value), name)) return valuesAt(Object(value)[name], names.slice(count));
  }
  return [];
}
