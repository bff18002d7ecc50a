/** The pages of somebody who is signed in, with the content of `prepare` in stage.ts. A new page gets a line here. */
export const pages: readonly string[] = [
  '/',
  '/?show=stale',
  '/projects',
  '/projects/search',
  '/projects/search?create=true',
  '/projects/search/settings',
  '/projects/checkout/features/new-checkout',
  '/projects/search/features/semantic-ranking#why',
  '/projects/search/features/semantic-ranking/strategies/create?environmentId=production',
  '/projects/checkout/change-requests/1',
  '/reviews',
  '/events',
  '/now',
  '/archive',
  '/segments',
  '/segments/create',
  '/segments/edit/1',
  '/release-templates',
  '/release-templates#archived',
  '/release-templates/create',
  '/release-templates/edit/progressive-rollout',
  '/projects/search/settings#templates',
  '/context',
  '/context/create',
  '/context/edit/userId',
  '/tag-types',
  '/environments',
  '/applications',
  '/impact-metrics',
  '/playground',
  '/integrations',
  '/integrations/create/webhook',
  '/integrations/edit/1',
  '/integrations/1',
  '/settings',
  '/move',
  '/me',
  '/sign-in',
  '/tokens',
  '/tokens/new',
  '/people',
  '/people/new',
  '/people/2',
  '/people/roles/2',
  '/there-is-no-such-page',
];

/** Pages that need more than four requests to the API, and how many they may need. */
export const moreRequests: readonly (readonly [path: RegExp, most: number])[] = [
  // A new strategy begins as the project wants it, which the page of the flag does not say.
  [/\/strategies\/create/, 5],
];

/** Those of somebody who is not signed in. */
export const openPages: readonly string[] = [
  '/',
  '/forgotten-password',
  '/new-user?token=none',
  '/reset-password?token=none',
  '/docs/there-is-no-such-page',
  '/auth/oidc/callback',
];
