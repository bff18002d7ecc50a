import { matchPath } from './match-path.ts';

/** Addresses of Unleash's UI that people have bookmarked, and those of the same things here. */
const oldAddresses: readonly (readonly [pattern: string, to: string])[] = [
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
];

/** Returns the address here of one of Unleash's UI; undefined for an address that is not one of these. */
export function leadOn(path: string): string | undefined {
  for (const [pattern, to] of oldAddresses) {
    const values = matchPath(pattern, path);
    if (values !== undefined) return to.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  }
  return undefined;
}
