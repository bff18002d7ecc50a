/** Path of the groups unless the settings name another. */
const usualPath = 'groups';

/**
 * Returns the groups of a user according to an identity provider; none if it does not mention groups, as providers do
 * for people in none.
 * @param statement claims of OpenID Connect, or attributes of SAML.
 * @param path such as `groups`, `realm_access.roles` or `groups[*].name`; names may contain dots.
 * @returns undefined if the provider keeps the groups elsewhere, so that they are unknown here.
 */
export function externalGroups(statement: unknown, path: string = usualPath): string[] | undefined {
  const names = (path.trim() || usualPath).replace(/^\$\./, '').replaceAll('[*]', '').split('.');
  // For a user in very many groups, Entra ID only says where to ask for them.
  const elsewhere = Object(Object(statement)._claim_names);
  if (names[0] !== undefined && Object.hasOwn(elsewhere, names[0])) return undefined;
  return valuesAt(statement, names).filter((value) => typeof value === 'string');
}

function valuesAt(value: unknown, names: readonly string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => valuesAt(each, names));
  if (names.length === 0) return [value];
  for (let count = names.length; count > 0; count -= 1) {
    const name = names.slice(0, count).join('.');
    if (Object.hasOwn(Object(value), name)) return valuesAt(Object(value)[name], names.slice(count));
  }
  return [];
}
