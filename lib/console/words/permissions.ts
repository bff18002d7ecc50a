/** The permissions in words, by subject: what a role lets somebody do. A test compares them with those that there are. @internal */
export const permissionSubjects: readonly (readonly [subject: string, Readonly<Record<string, string>>])[] = [
  [
    'Flags',
    {
      CREATE_FEATURE: 'Create flags',
      UPDATE_FEATURE: 'Edit flags: description, type, tags, links, stale',
      UPDATE_FEATURE_DEPENDENCY: 'Let a flag depend on another',
      UPDATE_FEATURE_VARIANTS: 'Edit variants of flags',
      MOVE_FEATURE_TOGGLE: 'Move flags to another project',
      DELETE_FEATURE: 'Archive and delete flags',
    },
  ],
  [
    'In an environment',
    {
      UPDATE_FEATURE_ENVIRONMENT: 'Switch flags on and off',
      CREATE_FEATURE_STRATEGY: 'Add strategies',
      UPDATE_FEATURE_STRATEGY: 'Edit strategies',
      DELETE_FEATURE_STRATEGY: 'Remove strategies',
      UPDATE_FEATURE_ENVIRONMENT_VARIANTS: 'Edit variants',
      APPROVE_CHANGE_REQUEST: 'Approve change requests, and turn them down',
      APPLY_CHANGE_REQUEST: 'Apply change requests',
      SKIP_CHANGE_REQUEST: 'Change without approval',
    },
  ],
  [
    'Projects',
    {
      CREATE_PROJECT: 'Create projects',
      UPDATE_PROJECT: 'Edit a project, its environments and its rules',
      DELETE_PROJECT: 'Archive and delete projects',
      PROJECT_SETTINGS_READ: 'See the settings of a project',
      PROJECT_SETTINGS_WRITE: 'Edit the settings of a project',
      PROJECT_DEFAULT_STRATEGY_READ: 'See default strategies',
      PROJECT_DEFAULT_STRATEGY_WRITE: 'Edit default strategies',
      PROJECT_CHANGE_REQUEST_READ: 'See the rules of approval',
      PROJECT_CHANGE_REQUEST_WRITE: 'Edit the rules of approval',
      PROJECT_USER_ACCESS_READ: 'See the members of a project',
      PROJECT_USER_ACCESS_WRITE: 'Add and remove members of a project',
      UPDATE_PROJECT_SEGMENT: 'Create and edit segments of a project',
      UPDATE_PROJECT_CONTEXT: 'Create and edit context fields of a project',
    },
  ],
  [
    'Tokens',
    {
      READ_CLIENT_API_TOKEN: 'See tokens for servers',
      CREATE_CLIENT_API_TOKEN: 'Create tokens for servers',
      UPDATE_CLIENT_API_TOKEN: 'Change the expiry of tokens for servers',
      DELETE_CLIENT_API_TOKEN: 'Remove tokens for servers',
      READ_FRONTEND_API_TOKEN: 'See tokens for pages',
      CREATE_FRONTEND_API_TOKEN: 'Create tokens for pages',
      UPDATE_FRONTEND_API_TOKEN: 'Change the expiry of tokens for pages',
      DELETE_FRONTEND_API_TOKEN: 'Remove tokens for pages',
      READ_PROJECT_API_TOKEN: 'See tokens of a project',
      CREATE_PROJECT_API_TOKEN: 'Create tokens of a project',
      DELETE_PROJECT_API_TOKEN: 'Remove tokens of a project',
    },
  ],
  [
    'Shared by all projects',
    {
      CREATE_SEGMENT: 'Create segments',
      UPDATE_SEGMENT: 'Edit segments',
      DELETE_SEGMENT: 'Delete segments',
      CREATE_CONTEXT_FIELD: 'Create context fields',
      UPDATE_CONTEXT_FIELD: 'Edit context fields',
      DELETE_CONTEXT_FIELD: 'Delete context fields',
      CREATE_TAG_TYPE: 'Create tag types',
      UPDATE_TAG_TYPE: 'Edit tag types',
      DELETE_TAG_TYPE: 'Delete tag types',
      CREATE_STRATEGY: 'Create strategy types',
      UPDATE_STRATEGY: 'Edit strategy types',
      DELETE_STRATEGY: 'Delete strategy types',
      UPDATE_APPLICATION: 'Edit applications',
    },
  ],
  [
    'The service',
    {
      ADMIN: 'Everything',
      CREATE_ADDON: 'Create integrations',
      UPDATE_ADDON: 'Edit integrations',
      DELETE_ADDON: 'Delete integrations',
      READ_ROLE: 'See roles',
      READ_LOGS: 'See the log of sign-ins, and metrics',
      UPDATE_AUTH_CONFIGURATION: 'Change how people sign in',
      UPDATE_CORS: 'Choose the pages that may ask for flags',
      UPDATE_INSTANCE_BANNERS: 'Edit banners',
      UPDATE_MAINTENANCE_MODE: 'Switch maintenance on and off',
      RELEASE_PLAN_TEMPLATE_CREATE: 'Create templates of release plans',
      RELEASE_PLAN_TEMPLATE_UPDATE: 'Edit templates of release plans',
      RELEASE_PLAN_TEMPLATE_DELETE: 'Delete templates of release plans',
    },
  ],
];

/** A permission with its words. */
export interface WordedPermission {
  readonly name: string;
  readonly words: string;
}

/** Groups permissions by subject, each in words; one without words keeps the name that the service gives it. */
export function groupPermissions(
  permissions: readonly { readonly name: string; readonly displayName: string }[],
): { readonly subject: string; readonly permissions: WordedPermission[] }[] {
  const known = new Set(permissionSubjects.flatMap(([, words]) => Object.keys(words)));
  const names = new Set(permissions.map(({ name }) => name));
  const groups = permissionSubjects.map(([subject, words]) => ({
    subject,
    permissions: Object.entries(words)
      .filter(([name]) => names.has(name))
      .map(([name, text]) => ({ name, words: text })),
  }));
  const others = permissions
    .filter(({ name }) => !known.has(name))
    .map(({ name, displayName }) => ({ name, words: displayName }));
  return [...groups, { subject: 'Others', permissions: others }].filter((group) => group.permissions.length > 0);
}

/**
 * Replaces the ids of permissions in a reason of the service by their words, as the page of a role shows them. Admins have all
 * permissions, so they are named only where nobody else may do something.
 */
export function wordPermissions(reason: string): string {
  const words = new Map(permissionSubjects.flatMap(([, all]) => Object.entries(all)));
  return reason
    .replace('You need the permission "ADMIN" to do this.', 'Only Admins may do this.')
    .replace('"ADMIN" or ', '')
    .replace(/"([A-Z_]+)"/g, (quoted, id: string) => (words.has(id) ? `“${words.get(id)}”` : quoted))
    .replace(/ in the environment "([^"]+)" to do this\./, ' in $1.');
}
