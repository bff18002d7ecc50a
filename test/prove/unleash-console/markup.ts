import type { Walk } from './walk.ts';

/** Name chosen by an attacker who wants scripts to run in the pages of others. */
const markup = '<img src="ran:" onerror=window.ran=1><script>ran=1</script>';
const marks = (what: string) => `${what} ${markup}`;
const flag = '/api/admin/projects/marked/features/marked';

/** Requests that give each kind of thing such a name or description, in the order of their dependencies. */
const things: readonly (readonly [method: string, path: string, body: object])[] = [
  ['POST', '/api/admin/projects', { id: 'marked', name: marks('Project'), description: marks('About it') }],
  ['POST', '/api/admin/projects/marked/features', { name: 'marked', description: marks('Flag'), tags: [] }],
  ['POST', '/api/admin/tag-types', { name: 'marked', description: marks('Tag type'), icon: '<img src="ran:">' }],
  ['POST', '/api/admin/features/marked/tags', { type: 'marked', value: '<img src="ran:" onerror=window.ran=1>' }],
  ['POST', '/api/admin/segments', { name: marks('Segment'), description: marks('About it'), constraints: [] }],
  [
    'POST',
    '/api/admin/context',
    { name: 'marked', description: marks('Field'), legalValues: [{ value: marks('Value') }] },
  ],
  ['POST', '/api/admin/strategies', { name: 'marked', description: marks('Strategy type'), parameters: [] }],
  [
    'POST',
    `${flag}/environments/development/strategies`,
    {
      name: 'flexibleRollout',
      title: marks('Strategy'),
      constraints: [{ contextName: 'userId', operator: 'IN', values: [marks('User')] }],
      parameters: { rollout: '50', stickiness: 'default', groupId: marks('Group') },
      variants: [
        {
          ...{ name: 'one', weightType: 'variable', weight: 1000, stickiness: 'default' },
          payload: { type: 'string', value: marks('Payload') },
        },
      ],
    },
  ],
  ['POST', `${flag}/link`, { url: 'https://example.com/%3Cscript%3E', title: marks('Link') }],
  ['POST', '/api/admin/user-admin', { name: marks('User'), email: 'marked@example.com', rootRole: 3 }],
  ['POST', '/api/admin/groups', { name: markup, description: marks('Group') }],
  [
    'POST',
    '/api/admin/roles',
    { name: marks('Role'), description: marks('About it'), type: 'root-custom', permissions: [] },
  ],
  ['POST', '/api/admin/service-account', { username: 'marked', name: marks('Account'), rootRole: 3 }],
  ['POST', '/api/admin/api-tokens', { tokenName: marks('Token'), type: 'client' }],
  ['POST', '/api/admin/user/tokens', { description: marks('Mine'), expiresAt: '2099-01-01T00:00:00.000Z' }],
  [
    'POST',
    '/api/admin/addons',
    {
      ...{ provider: 'webhook', enabled: false, description: marks('Webhook'), events: ['feature-created'] },
      parameters: { url: 'https://example.com/', bodyTemplate: marks('Body') },
    },
  ],
];

/** Pages that show these names. */
const places = [
  ...['/personal', '/projects', '/search'],
  ...['', '/features/marked', '/logs', '/settings', '/features/marked/logs'].map((tab) => `/projects/marked${tab}`),
  ...['/history', '/segments', '/context', '/strategies'],
  ...['/tag-types', '/integrations', '/playground', '/admin/users', '/admin/groups', '/admin/roles', '/admin/api'],
  ...['/admin/service-accounts', '/profile/personal-api-tokens', '/', '/docs'],
];

/** Counts the elements that such a text has made in a page, or returns -1 if a script has run; runs in the page. */
const traces = 'window.ran === undefined ? document.querySelectorAll(\'[src="ran:"]\').length : -1';

/** Steps that prove that names of markup and scripts are shown as text everywhere. */
export const markupSteps: Walk = {
  async 'call one thing of each kind by markup and scripts'(visitor) {
    for (const [method, path, body] of things) await visitor.ask(method, path, body);
  },
  ...Object.fromEntries(places.map((path) => [`find no markup and no script run on ${path}`, findsNone(path)])),
};

function findsNone(path: string): Walk[string] {
  return async (visitor) => {
    await visitor.open(path);
    const found = await visitor.evaluate(traces);
    if (found !== 0) throw new Error(found === -1 ? 'A script has run.' : `${found} elements come from a name.`);
    await visitor.picture(`marked${path.replaceAll('/', '-')}`);
  };
}
