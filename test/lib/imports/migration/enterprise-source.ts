import type { Get } from '../../../../lib/imports/migration/reading.ts';

/** Reads the answers of a file, by path. */
export function getAmong(answers: Readonly<Record<string, unknown>>): Get {
  return async (path) => {
    const body = answers[path];
    return body === undefined ? { status: 404, body } : { status: 200, body };
  };
}

const at = '2024-01-02T03:04:05.678Z';
const alice = { id: 7, username: 'alice', email: 'alice@example.com', name: 'Alice', rootRole: 12 };
const role = (id: number, name: string, type: string) => ({ id, name, type, description: name });
const releaser = {
  ...role(13, 'Releaser', 'custom'),
  permissions: [
    { id: 2, name: 'CREATE_FEATURE', displayName: 'Create', type: 'project' },
    { id: 28, name: 'UPDATE_FEATURE_ENVIRONMENT', displayName: 'Switch', type: 'environment', environment: 'live' },
    { id: 999, name: 'SOMETHING_NEWER', displayName: 'Something', type: 'project' },
  ],
};

const robot = { id: 9, username: 'service-ci', name: 'CI', rootRole: 11, createdAt: at };
const robotToken = { id: 1, description: 'deploy', createdAt: at, expiresAt: at, userId: 9 };
const rollout = (rollout: string, more: object) => ({
  ...{ name: 'flexibleRollout', title: null, constraints: [], variants: [], segments: [], disabled: false },
  ...{ parameters: { rollout, stickiness: 'default', groupId: 'cart' }, ...more },
});
const ofMilestone = rollout('25', { id: 'first', sortOrder: 0, milestoneId: 'm1' });
const atLast = rollout('100', { id: 'last', sortOrder: 0, milestoneId: 'm2' });
const own = { id: 'one', name: 'default' };

const answers: Readonly<Record<string, unknown>> = {
  'ui-config': {
    version: '7.5.0',
    versionInfo: { current: { oss: '', enterprise: '7.5.0' } },
    frontendApiOrigins: ['*'],
  },
  environments: {
    version: 1,
    environments: [
      { name: 'live', type: 'production', enabled: true, protected: false, sortOrder: 1, requiredApprovals: 2 },
    ],
  },
  roles: {
    version: 1,
    roles: [
      ...[role(10, 'Admin', 'root'), role(11, 'Editor', 'root'), role(12, 'Viewer', 'root')],
      ...[role(4, 'Owner', 'project'), role(5, 'Member', 'project'), role(13, 'Releaser', 'custom')],
      { id: 20, name: 'Auditor', type: 'root-custom', project: null },
    ],
  },
  'roles/20': {
    ...{ id: 20, name: 'Auditor', type: 'root-custom' },
    permissions: [{ id: 76, name: 'READ_LOGS', displayName: 'Read logs', type: 'root' }],
  },
  'roles/10': { ...role(10, 'Admin', 'root'), permissions: [] },
  'roles/13': releaser,
  'user-admin': { users: [alice, { id: 8, email: 'bob@example.com', rootRole: 20, seenAt: null }], rootRoles: [] },
  'service-account': { serviceAccounts: [{ ...robot, isAPI: true, tokens: [robotToken] }] },
  groups: {
    groups: [
      {
        ...{
          id: 3,
          name: 'Shop',
          description: null,
          mappingsSSO: ['shop'],
          rootRole: null,
          createdBy: 'alice',
          createdAt: at,
        },
        users: [{ joinedAt: at, user: alice }, { user: { id: 404 } }],
        projects: ['shop'],
      },
      { id: 4, name: 'Directory', mappingsSSO: [], rootRole: 20, scimId: 'x', userCount: 0 },
    ],
  },
  // The list omits members.
  'groups/4': { id: 4, name: 'Directory', users: [{ user: { id: 8 } }] },
  projects: { version: 1, projects: [{ id: 'shop', name: 'Shop', mode: 'private', createdAt: at, favorite: true }] },
  'projects?archived=true': { projects: [{ id: 'closed', name: 'Closed', createdAt: at, archivedAt: at }] },
  'projects/shop/overview': {
    ...{
      name: 'Shop',
      description: 'Sells',
      mode: 'private',
      defaultStickiness: 'userId',
      featureLimit: 100,
      createdAt: at,
    },
    featureNaming: { pattern: '^[a-z]+$', example: 'cart', description: null },
    linkTemplates: [{ title: null, urlTemplate: 'https://example.com/{{feature}}' }],
    environments: [
      { environment: 'live', changeRequestsEnabled: true, defaultStrategy: rollout('50', { sortOrder: 0 }) },
    ],
  },
  'projects/shop/change-requests/config': [
    { environment: 'live', type: 'production', changeRequestEnabled: true, requiredApprovals: 3 },
  ],
  'projects/closed/overview': { name: 'Closed', environments: [], archivedAt: at },
  'projects/shop/access': {
    users: [
      { ...alice, addedAt: at, roleId: 4, roles: [4, 13] },
      { ...robot, accountType: 'Service Account', roleId: 5, roles: [5] },
      { id: 404, username: 'gone', roles: [4] },
    ],
    groups: [{ id: 3, name: 'Shop', roleId: 13, roles: [13] }],
    roles: [],
  },
  'search/features?archived=IS:false&sortBy=name&limit=100&offset=0': {
    features: [{ name: 'cart', project: 'shop', type: 'release', favorite: true, createdAt: at, lastSeenAt: at }],
    total: 1,
  },
  'search/features?archived=IS:true&sortBy=name&limit=100&offset=0': { features: [], total: 0 },
  'projects/shop/features/cart?variantEnvironments=true': {
    ...{
      name: 'cart',
      project: 'shop',
      type: 'release',
      createdAt: at,
      createdBy: { id: 7, name: 'Alice', imageUrl: '' },
    },
    environments: [
      {
        ...{ name: 'live', enabled: true, lastSeenAt: at, strategies: [own] },
        releasePlans: [
          {
            ...{ id: 'y', discriminator: 'plan', name: 'Slowly', description: null, activeMilestoneId: 'm1' },
            ...{ releasePlanTemplateId: '01JTEMPLATE', createdByUserId: 7, createdAt: at, environment: 'live' },
            milestones: [
              {
                ...{ id: 'm1', name: 'A quarter', sortOrder: 0, strategies: [ofMilestone], startedAt: at },
                ...{ transitionCondition: { intervalMinutes: 10 }, progressionExecutedAt: null, pausedAt: at },
              },
              { id: 'm2', name: 'All', sortOrder: 1, startedAt: null, strategies: [atLast] },
            ],
            safeguards: [{ id: 's', impactMetric: {}, triggerCondition: {}, action: {} }],
          },
        ],
      },
    ],
  },
  // The strategies of the milestone come first, as SDKs get them. A flag only shows its own.
  'projects/shop/features/cart/environments/live/strategies': [ofMilestone, { ...own, sortOrder: 0 }],
  'projects/shop/features/cart/lifecycle': [
    { stage: 'initial', enteredStageAt: at },
    { stage: 'live', enteredStageAt: at },
  ],
  strategies: { strategies: [{ name: 'default', editable: false, parameters: [] }] },
  'auth/saml/settings': { enabled: true, entityId: 'x', signOnUrl: 'https://idp.example.com', certificate: 'x' },
  'auth/oidc/settings': { enabled: true, discoverUrl: 'https://idp.example.com', clientId: 'x', secret: 'x' },
  'auth/google/settings': { enabled: true, clientId: 'x' },
  banners: {
    banners: [
      {
        ...{
          id: 1,
          message: 'Maintenance',
          enabled: true,
          variant: 'warning',
          sticky: true,
          icon: 'none',
          createdAt: at,
        },
        ...{ link: 'dialog', linkText: 'More', dialogTitle: 'Tonight', dialog: '**Nothing** is lost', from: null },
      },
      { id: 2, message: 'Over', enabled: false, link: null },
    ],
  },
  'release-plan-templates': [
    {
      id: '01JTEMPLATE',
      discriminator: 'template',
      name: 'Slowly',
      createdByUserId: 7,
      createdAt: at,
      archivedAt: null,
    },
    { id: '01JUNREADABLE', discriminator: 'template', name: 'Unreadable', createdByUserId: 7, createdAt: at },
  ],
  'release-plan-templates/01JTEMPLATE': {
    ...{ id: '01JTEMPLATE', discriminator: 'template', name: 'Slowly', description: null, createdByUserId: 7 },
    ...{ createdAt: at, archivedAt: null },
    milestones: [
      {
        ...{ id: '01JMILESTONE', name: 'A quarter', sortOrder: 0, releasePlanDefinitionId: '01JTEMPLATE' },
        strategies: [
          {
            ...{ id: '01JSTRATEGY', milestoneId: '01JMILESTONE', sortOrder: 0, title: null, disabled: false },
            ...{
              name: 'flexibleRollout',
              strategyName: 'flexibleRollout',
              constraints: [],
              variants: [],
              segments: [],
            },
            parameters: { rollout: '25', stickiness: 'default', groupId: '{{featureName}}' },
          },
        ],
      },
    ],
  },
  'auth/simple/settings': { disabled: true },
  'scim-settings': { enabled: true, hasToken: true },
  'signal-endpoints': { signalEndpoints: [{ id: 1, name: 'alarms', enabled: true }] },
  'invite-link/tokens': { tokens: [{ name: 'everybody', secret: 'x', enabled: true }] },
  'search/change-requests?state=IS:open&limit=1000': {
    changeRequests: [{ id: 21, title: 'Open the shop', project: 'shop', environment: 'live', state: 'In review' }],
    total: 1,
  },
  'projects/shop/change-requests': [
    { id: 21, title: 'Open the shop', environment: 'live', state: 'In review' },
    { id: 20, title: 'Paint it', environment: 'live', state: 'Applied' },
  ],
  'user-access-requests': { userAccessRequests: [{ id: 1, email: 'carol@example.com' }] },
  'metrics/applications?limit=1000': {
    applications: [
      {
        appName: 'till',
        description: 'In the shop',
        url: 'https://example.com/till',
        icon: null,
        strategies: [],
        createdAt: at,
      },
      { appName: 'quiet', description: null, url: '', icon: null, strategies: ['default'], createdAt: at },
    ],
  },
  'context?include=project': [{ name: 'cart', description: 'Of the shop', project: 'shop', createdAt: at }],
  user: { user: alice, permissions: [] },
  'search/events?limit=1000&offset=0': {
    events: [
      {
        id: 5,
        type: 'role-created',
        createdBy: 'alice',
        createdByUserId: 7,
        createdAt: at,
        data: { name: 'Releaser' },
      },
      { id: 4, type: 'something-newer', createdBy: 'alice', createdByUserId: 7, createdAt: at, data: null },
    ],
    total: 2,
  },
};

/** An Enterprise server, with the features of that edition. */
export const enterpriseServer = Object.fromEntries(
  Object.entries(answers).map(([path, body]) => [`/api/admin/${path}`, body]),
);
