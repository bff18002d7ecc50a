import { rootRoles } from '../users/permissions.ts';
import type { SeedData, StrategyTypeSeed } from './seed-data.ts';

type Parameter = StrategyTypeSeed['parameters'][number];

const parameter = (name: string, type: Parameter['type'], description: string, required = false): Parameter => ({
  name,
  type,
  description,
  required,
});

const builtIn = { editable: false, deprecated: false } as const;

/** What every new store holds, as a new server of Unleash 6 does. */
export const freshData: SeedData = {
  environments: [
    { name: 'default', type: 'production', enabled: false, protected: true, sortOrder: 1 },
    { name: 'development', type: 'development', enabled: true, protected: false, sortOrder: 2 },
    { name: 'production', type: 'production', enabled: true, protected: false, sortOrder: 3 },
  ],
  projects: [
    {
      id: 'default',
      name: 'Default',
      description: 'Default project',
      defaultStickiness: 'default',
      environments: ['development', 'production'],
    },
  ],
  contextFields: [
    { name: 'environment', description: 'The environment that the application runs in', sortOrder: 0 },
    { name: 'userId', description: 'Who uses the application', sortOrder: 1 },
    { name: 'appName', description: 'Which application asks', sortOrder: 2 },
    { name: 'currentTime', description: 'The moment of the evaluation, for rules with dates', sortOrder: 3 },
    { name: 'sessionId', description: 'The session of the user, also of one unknown', sortOrder: 4, stickiness: true },
  ],
  tagTypes: [{ name: 'simple', description: 'A plain word to find features by', icon: '#' }],
  strategies: [
    {
      ...builtIn,
      name: 'flexibleRollout',
      description: 'On for a share of those who ask; the same ones each time.',
      parameters: [
        parameter('rollout', 'percentage', 'The share for whom the feature is on', true),
        parameter('stickiness', 'string', 'The context field that decides who belongs to the share', true),
        parameter('groupId', 'string', 'Features with the same group pick the same ones', true),
      ],
    },
    { ...builtIn, name: 'default', description: 'On for everybody.', parameters: [] },
    {
      ...builtIn,
      name: 'userWithId',
      description: 'On for the users that are listed.',
      deprecated: true,
      parameters: [parameter('userIds', 'list', 'The ids of the users')],
    },
    {
      ...builtIn,
      name: 'remoteAddress',
      description: 'On for requests from the listed addresses.',
      parameters: [parameter('IPs', 'list', 'IP addresses, or networks in CIDR notation', true)],
    },
    {
      ...builtIn,
      name: 'applicationHostname',
      description: 'On where the application runs on one of the listed hosts.',
      parameters: [parameter('hostNames', 'list', 'The names of the hosts')],
    },
  ],
  segments: [],
  addons: [],
  users: [{ id: 1, username: 'admin', name: null, email: null, rootRole: rootRoles.Admin }],
  groups: [],
};
