/**
 * The folders of `functions/` whose endpoints are in the main stack.
 *
 * CloudFormation takes 500 resources in a stack, which is some 75 endpoints in the main one. Every folder that is not
 * listed here has a nested stack of its own. So where an endpoint is depends on nothing but its folder: adding another
 * never moves it, which CloudFormation could not do, since it would make the new route before it removes the old one of
 * the same path. For the same reason a folder stays here, or away, once it has been deployed.
 */
const foldersOfMainStack: ReadonlySet<string> = new Set([
  'access',
  'addons',
  'archive',
  'environments',
  'events',
  'features',
  'imports',
  'projects',
  'service',
  'settings',
]);

/** The id of the nested stack that holds a folder's endpoints; undefined for the main stack. */
export function nestedStackOf(folder: string): string | undefined {
  return foldersOfMainStack.has(folder) ? undefined : `${folder}Endpoints`;
}
