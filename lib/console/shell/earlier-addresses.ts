import { matchPath } from './match-path.ts';

/** Addresses of Unleash's admin UI that this console does not have, for bookmarks; `*` stands for any further parts. */
const newAddresses: readonly (readonly [earlier: string, now: string])[] = [
  ['/login', '/'],
  ['/personal', '/'],
  ['/search', '/'],
  ['/history', '/events'],
  ['/change-requests', '/reviews'],
  ['/profile/*', '/me'],
  ['/projects-archive', '/projects'],
  ['/integrations/*', '/integrations'],
  ['/admin/api/*', '/tokens'],
  ['/admin/service-accounts/*', '/tokens'],
  ['/admin/users/*', '/people'],
  ['/admin/groups/*', '/people'],
  ['/admin/roles/*', '/people'],
  ['/admin/*', '/settings'],
  ['/projects/:project/change-requests', '/reviews'],
  ['/projects/:project/logs', '/events?project=:project'],
  ['/projects/:project/archive', '/archive?project=:project'],
  ['/projects/:project/settings/*', '/projects/:project/settings'],
  ['/projects/:project/features/:feature/:tab', '/projects/:project/features/:feature'],
];

/**
 * Finds the address of this console for one of Unleash's admin UI.
 * @returns undefined if the address is none, or is the same here.
 */
export function findNewAddress(path: string): string | undefined {
  const parts = path.replace(/(?<=.)\/+$/, '').split('/');
  for (const [earlier, now] of newAddresses) {
    const pattern = earlier.replace('/*', '');
    // What an asterisk stands for does not matter.
    const given = earlier.endsWith('/*') ? parts.slice(0, pattern.split('/').length) : parts;
    const values = matchPath(pattern, given.join('/'));
    if (values === undefined) continue;
    const address = now.replace(/:(\w+)/g, (_, name) => encodeURIComponent(values[name] ?? ''));
    return address === path ? undefined : address;
  }
  return path === parts.join('/') ? undefined : parts.join('/');
}
