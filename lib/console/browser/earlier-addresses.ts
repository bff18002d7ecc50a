import { matchPath } from './match-path.ts';

/** Addresses of Unleash's admin UI that this console does not have, for bookmarks; `*` stands for any further parts. @internal */
export const newAddresses: readonly (readonly [earlier: string, now: string])[] = [
  ['/login', '/'],
  ['/signed-out', '/'],
  ['/search', '/'],
  ['/features', '/'],
  ['/personal', '/'],
  ['/history', '/events'],
  ['/profile', '/me'],
  ['/profile/change-password', '/me'],
  ['/profile/personal-api-tokens', '/tokens#yours'],
  ['/projects-archive', '/projects#archived'],
  ['/projects/:project/settings/environments', '/projects/:project/settings#environments'],
  ['/projects/:project/settings/access', '/projects/:project/settings#access'],
  ['/projects/:project/settings/default-strategy', '/projects/:project/settings#environments'],
  ['/projects/:project/settings/change-requests', '/projects/:project/settings#rules'],
  ['/projects/:project/settings/release-templates', '/projects/:project/settings#templates'],
  ['/projects/:project/settings/api-access', '/projects/:project/settings#tokens'],
  ['/projects/:project/change-requests', '/reviews'],
  ['/projects/:project/logs', '/events?project=:project'],
  ['/admin/api', '/tokens'],
  ['/admin/api/create-token', '/tokens/new'],
  ['/admin/service-accounts', '/tokens#service-accounts'],
  ['/admin/users', '/people'],
  ['/admin/users/:id/edit', '/people/:id'],
  ['/admin/users/inactive', '/people'],
  ['/admin/create-user', '/people/new'],
  ['/admin/invite-link', '/people#invitations'],
  ['/admin/groups', '/people#groups'],
  ['/admin/groups/create-group', '/people/groups/new'],
  ['/admin/groups/:id', '/people/groups/:id'],
  ['/admin/groups/:id/edit', '/people/groups/:id'],
  ['/admin/roles', '/people#roles'],
  ['/admin/roles/project-roles', '/people#roles'],
  ['/admin/auth', '/sign-in'],
  ['/admin/auth/saml', '/sign-in#saml'],
  ['/admin/auth/oidc', '/sign-in#oidc'],
  ['/admin/auth/password', '/sign-in#password'],
  ['/admin/auth/scim', '/sign-in#scim'],
  ['/admin/banners', '/settings#banners'],
  ['/admin/maintenance', '/settings'],
  ['/admin/cors', '/settings'],
  ['/admin/instance', '/settings#instance'],
  ['/admin/instance-stats', '/settings#instance'],
  ['/admin/network', '/settings#instance'],
  ['/admin/network/*', '/settings#instance'],
  ['/release-templates/create-template', '/release-templates/create'],
  ['/addons', '/integrations'],
  ['/addons/create/:provider', '/integrations/create/:provider'],
  ['/addons/edit/:id', '/integrations/edit/:id'],
  ['/change-requests', '/reviews'],
  ['/profile/*', '/me'],
  ['/admin/service-accounts/*', '/tokens'],
  ['/admin/users/*', '/people'],
  ['/admin/groups/*', '/people'],
  ['/admin/roles/*', '/people'],
  ['/projects/:project/archive', '/archive?project=:project'],
  ['/projects/:project/settings/*', '/projects/:project/settings'],
  ['/projects/:project/features/:feature/:tab', '/projects/:project/features/:feature'],
  ['/admin/api/*', '/tokens'],
  ['/admin/*', '/settings'],
];

/**
 * Finds the address of this console for one of Unleash's admin UI.
 * @returns undefined if the address is not one of these, or is the same here.
 */
export function findNewAddress(path: string): string | undefined {
  const parts = path
    .replace(/^\/{2,}/, '/')
    .replace(/(?<=.)\/+$/, '')
    .split('/');
  for (const [earlier, now] of newAddresses) {
    const pattern = earlier.replace('/*', '');
    // An asterisk stands for any further parts, which do not matter.
    const given = earlier.endsWith('/*') ? parts.slice(0, pattern.split('/').length) : parts;
    const values = matchPath(pattern, given.join('/'));
    if (values === undefined) continue;
    const address = now.replace(/:(\w+)/g, (_, name) => encodeURIComponent(values[name] ?? ''));
    return address === path ? undefined : address;
  }
  return path === parts.join('/') ? undefined : parts.join('/');
}
