/** Content of every new store, as on a new server of Unleash 6, in the form of a seed file. */
export const freshData = {
  environments: [
    { name: 'default', type: 'production', enabled: false, protected: true, sortOrder: 1 },
    { name: 'development', type: 'development', sortOrder: 2 },
    { name: 'production', type: 'production', sortOrder: 3 },
  ],
  projects: [
    { id: 'default', name: 'Default', description: 'Default project', environments: ['development', 'production'] },
  ],
  contextFields: [
    { name: 'environment', description: 'Allows you to constrain on application environment', sortOrder: 0 },
    { name: 'userId', description: 'Allows you to constrain on userId', sortOrder: 1 },
    { name: 'appName', description: 'Allows you to constrain on application name', sortOrder: 2 },
    { name: 'currentTime', description: 'Allows you to constrain on date values', sortOrder: 3 },
    { name: 'sessionId', description: 'Allows you to constrain on sessionId', sortOrder: 4, stickiness: true },
  ],
  tagTypes: [{ name: 'simple', description: 'Used to simplify filtering of features', icon: '#', color: '#FFFFFF' }],
  strategies: [
    {
      name: 'flexibleRollout',
      description: 'On for a share of those who ask; the same ones each time.',
      parameters: [
        { name: 'rollout', type: 'percentage', description: 'The share for whom the feature is on', required: false },
        {
          name: 'stickiness',
          type: 'string',
          description: 'The context field that decides who belongs to the share',
          required: true,
        },
        {
          name: 'groupId',
          type: 'string',
          description: 'Features with the same group pick the same ones',
          required: true,
        },
      ],
    },
    { name: 'default', description: 'On for everybody.' },
    {
      name: 'userWithId',
      description: 'On for the users that are listed.',
      deprecated: true,
      parameters: [{ name: 'userIds', type: 'list', description: 'The ids of the users' }],
    },
    {
      name: 'remoteAddress',
      description: 'On for requests from the listed addresses.',
      parameters: [
        { name: 'IPs', type: 'list', description: 'IP addresses, or networks in CIDR notation', required: true },
      ],
    },
    {
      name: 'applicationHostname',
      description: 'On where the application runs on one of the listed hosts.',
      parameters: [{ name: 'hostNames', type: 'list', description: 'The names of the hosts' }],
    },
  ],
  releaseTemplates: [
    {
      id: 'progressive-rollout',
      name: 'Progressive rollout',
      description: 'To a quarter of all users, to half, to three quarters, then to everybody.',
      milestones: [25, 50, 75, 100].map((percent) => ({
        name: `${percent}%`,
        strategies: [{ name: 'flexibleRollout', parameters: { rollout: String(percent), stickiness: 'default' } }],
      })),
    },
  ],
  users: [{ username: 'admin', rootRole: 'Admin' }],
};
