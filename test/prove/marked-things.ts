/** Name chosen by an attacker who wants scripts to run in the pages of others. */
export const markup = '<img src="ran:" onerror=window.ran=1>';

/** Writes a name or description of some kind of thing, of at most so many characters. */
export type Marks = (what: string, longest: number) => string;

/** Counts the elements that such a text has made in a page, or returns -1 if a script has run; runs in the page. */
export const markupTraces = 'window.ran === undefined ? document.querySelectorAll(\'[src="ran:"]\').length : -1';

type Request = readonly [method: string, path: string, body: object];

const flag = '/api/admin/projects/marked/features/marked';

/** The longest description that is worth a look: most have no limit. */
const descriptionMax = 5_000;

/** Lists requests that give each kind of thing such a name or description, in the order of their dependencies. */
export function listMarkedThings(marks: Marks): readonly Request[] {
  const about = (what: string) => marks(what, descriptionMax);
  return [
    ['POST', '/api/admin/projects', { id: 'marked', name: marks('Project', 255), description: about('About it') }],
    ['POST', '/api/admin/projects/marked/features', { name: 'marked', description: about('Flag'), tags: [] }],
    ['POST', '/api/admin/tag-types', { name: 'marked', description: about('Tag type'), icon: '<img src="ran:">' }],
    ['POST', '/api/admin/features/marked/tags', { type: 'marked', value: marks('', 50) }],
    [
      'POST',
      '/api/admin/segments',
      { name: marks('Segment', 100), description: about('About it'), constraints: [constraint(marks)] },
    ],
    [
      'POST',
      '/api/admin/context',
      {
        name: 'marked',
        description: marks('Field', 250),
        legalValues: [{ value: marks('Value', 100), description: about('Value') }],
      },
    ],
    ['POST', '/api/admin/strategies', { name: 'marked', description: about('Strategy type'), parameters: [] }],
    [
      'POST',
      `${flag}/environments/development/strategies`,
      {
        name: 'flexibleRollout',
        title: about('Strategy'),
        constraints: [constraint(marks)],
        parameters: { rollout: '50', stickiness: 'default', groupId: about('Group') },
        variants: [
          {
            ...{ name: 'one', weightType: 'variable', weight: 1000, stickiness: 'default' },
            payload: { type: 'string', value: about('Payload') },
          },
        ],
      },
    ],
    ['POST', `${flag}/link`, { url: 'https://example.com/%3Cscript%3E', title: about('Link') }],
    ['POST', '/api/admin/user-admin', { name: marks('User', 255), email: 'marked@example.com', rootRole: 3 }],
    ['POST', '/api/admin/groups', { name: marks('Group', 100), description: marks('Group', 1_000) }],
    [
      'POST',
      '/api/admin/roles',
      { name: marks('Role', 100), description: marks('About it', 1_000), type: 'root-custom', permissions: [] },
    ],
    ['POST', '/api/admin/service-account', { username: 'marked', name: marks('Account', 255), rootRole: 3 }],
    ['POST', '/api/admin/api-tokens', { tokenName: marks('Token', 255), type: 'client' }],
    ['POST', '/api/admin/user/tokens', { description: marks('Mine', 255), expiresAt: '2099-01-01T00:00:00.000Z' }],
    [
      'POST',
      '/api/admin/addons',
      {
        ...{ provider: 'webhook', enabled: false, description: about('Webhook'), events: ['feature-created'] },
        parameters: { url: 'https://example.com/', bodyTemplate: about('Body') },
      },
    ],
  ];
}

function constraint(marks: Marks): object {
  return { contextName: 'userId', operator: 'IN', values: [marks('User', 100)] };
}
