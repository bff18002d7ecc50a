import fc, { type Arbitrary } from 'fast-check';
import { paths } from '../../harness/features.ts';
import { importOf, importPath } from '../../harness/import-file.ts';
import type { NamedKind } from '../../invariants/namings.ts';

/**
 * A request on things that others use, change, move and delete at the same time. In its path and its body `{segment 2}`
 * stands for the id of one of the segments that were there before, and so on.
 */
export interface Use {
  /**
   * Method and path. In it and in the body `{strategy}` stands for the id of a strategy, and `{plan}`, `{milestone}` and
   * `{next milestone}` for those of a release plan, read from `listed` before. `CLOCK` stands for a tick of the clock in two hours.
   */
  readonly send: string;
  readonly body?: unknown;
  /** Path that lists the strategies of a feature, or its release plans. */
  readonly listed?: string;
}

const anyFeature = fc.constantFrom('feature-1', 'feature-2', 'feature-3');
const anyProject = fc.constantFrom('default', 'project-1');
const anyTagType = fc.constantFrom('team', 'area');
const anyTag = fc.record({ type: anyTagType, value: fc.constantFrom('one', 'two') });
const oneOf = (kind: NamedKind) => fc.nat({ max: 3 }).map((number) => `{${kind} ${number}}`);

/** The things that a use may name; most uses name a few. */
const anyValues = fc.record({
  feature: anyFeature,
  otherFeature: anyFeature,
  project: anyProject,
  otherProject: anyProject,
  environment: fc.constantFrom('development', 'lab'),
  isOn: fc.boolean(),
  tagType: anyTagType,
  tag: anyTag,
  tags: fc.array(anyTag, { maxLength: 2 }),
  addedTags: fc.array(anyTag, { maxLength: 1 }),
  removedTags: fc.array(anyTag, { maxLength: 1 }),
  strategyType: fc.constantFrom('default', 'beta'),
  segment: oneOf('segment'),
  segments: fc.uniqueArray(oneOf('segment'), { maxLength: 2, size: 'max' }),
  colour: fc.constantFrom('red', 'blue'),
  projectOfSegment: fc.constantFrom(null, 'project-1'),
  projectsOfToken: fc.constantFrom(['project-1'], ['*'], ['default', 'project-1']),
  account: oneOf('account'),
  person: fc.constantFrom('ann', 'bob'),
  program: fc.constantFrom('ci', 'cd'),
  words: fc.constantFrom('one', 'two'),
  group: oneOf('group'),
  groupName: fc.constantFrom('readers', 'writers'),
  members: fc.uniqueArray(oneOf('account'), { maxLength: 2 }).map((ids) => ids.map((id) => ({ user: { id } }))),
  role: oneOf('role'),
  isRootRole: fc.boolean(),
  rootRole: fc.oneof(fc.constant(3), oneOf('role')),
  projectRole: fc.oneof(fc.constant(5), oneOf('role')),
  users: fc.array(oneOf('account'), { maxLength: 1 }),
  groups: fc.array(oneOf('group')),
});
type Values = typeof anyValues extends Arbitrary<infer V> ? V : never;

type Sent = readonly [send: string, body?: unknown, listed?: string];
type Make = (values: Values) => Sent;

const admin = '/api/admin';
const featureAt = ({ feature, project }: Values) => paths.feature(feature, project);
const inEnvironment = (values: Values) => `${featureAt(values)}/environments/${values.environment}`;
const strategiesAt = (values: Values) => `${inEnvironment(values)}/strategies`;
const plansAt = (values: Values) => `${inEnvironment(values)}/release-plans`;
const permissionsIn = (environment: string) => [{ name: 'UPDATE_FEATURE_ENVIRONMENT', environment }];
const two = { features: ['feature-1', 'feature-2'] };

const ofTags: readonly Make[] = [
  ({ feature, tag }) => [`POST ${paths.tags(feature)}`, tag],
  ({ feature, tag: { type, value } }) => [`DELETE ${paths.tags(feature)}/${type}/${value}`],
  ({ feature, addedTags, removedTags }) => [`PUT ${paths.tags(feature)}`, { addedTags, removedTags }],
  ({ project, tags: addedTags }) => [
    `PUT ${admin}/projects/${project}/tags`,
    { features: ['feature-1'], tags: { addedTags, removedTags: [] } },
  ],
  ({ tag }) => [`POST ${admin}/tags`, tag],
  ({ tag: { type, value } }) => [`DELETE ${admin}/tags/${type}/${value}`],
  ({ tagType }) => [`DELETE ${admin}/tag-types/${tagType}`],
  ({ tagType }) => [`POST ${admin}/tag-types`, { name: tagType }],
];

const templateOf = ({ colour, strategyType: name, segments }: Values, project: string | null) => ({
  ...{ name: colour, project },
  milestones: [
    { name: 'Few', strategies: [{ name, segments }], transitionCondition: { intervalMinutes: 60 } },
    { name: 'All', strategies: [{ name }] },
  ],
});

const ofStrategies: readonly Make[] = [
  (values) => {
    const { strategyType: name, segments } = values;
    const constraints = [{ contextName: 'region', operator: 'IN', values: ['CH'] }];
    return [`POST ${strategiesAt(values)}`, { name, segments, constraints }];
  },
  (values) => {
    const body = { name: 'default', segments: values.segments, parameters: {}, constraints: [] };
    return [`PUT ${strategiesAt(values)}/{strategy}`, body, strategiesAt(values)];
  },
  (values) => [`DELETE ${strategiesAt(values)}/{strategy}`, undefined, strategiesAt(values)],
  (values) => {
    const { project: projectId, environment: environmentId, segments: segmentIds } = values;
    const body = { projectId, environmentId, strategyId: '{strategy}', segmentIds };
    return [`POST ${admin}/segments/strategies`, body, strategiesAt(values)];
  },
  ({ project, environment, segments }) => [
    `POST ${admin}/projects/${project}/environments/${environment}/default-strategy`,
    { name: 'flexibleRollout', segments },
  ],
  (values) => [`POST ${admin}/release-plan-templates`, templateOf(values, 'project-1')],
  // Every new service has this one.
  (values) => [`PUT ${admin}/release-plan-templates/progressive-rollout`, templateOf(values, values.projectOfSegment)],
  () => [`DELETE ${admin}/release-plan-templates/progressive-rollout`],
  () => [`POST ${admin}/strategies`, { name: 'beta', parameters: [] }],
  () => [`DELETE ${admin}/strategies/beta`],
  () => [`PUT ${admin}/strategies/beta`, { name: 'beta', description: 'x', parameters: [] }],
  () => [`POST ${admin}/context`, { name: 'region' }],
  ({ project }) => [`POST ${admin}/projects/${project}/context`, { name: 'area' }],
  () => [`DELETE ${admin}/context/region`],
  ({ segment }) => [`DELETE ${admin}/segments/${segment}`],
  ({ segment, colour }) => [`PUT ${admin}/segments/${segment}`, { name: colour, constraints: [] }],
  ({ colour, projectOfSegment }) => [
    `POST ${admin}/segments`,
    { name: colour, project: projectOfSegment, constraints: [] },
  ],
];

/** Few features have a plan, so that it is asked more often than the rest. */
const editMilestone: Make = (values) => {
  const { strategyType: name, segments } = values;
  return [`PUT ${inEnvironment(values)}/milestone-strategies/{strategy}`, { name, segments }, plansAt(values)];
};

const ofPlans: readonly Make[] = [
  ...Array<Make>(4).fill((values) => [`POST ${plansAt(values)}`, { templateId: 'progressive-rollout' }]),
  (values) => [`POST ${inEnvironment(values)}/on`],
  (values) => [`POST ${plansAt(values)}/{plan}/milestones/{milestone}/start`, undefined, plansAt(values)],
  (values) => [`POST ${plansAt(values)}/{plan}/milestones/{next milestone}/start`, undefined, plansAt(values)],
  (values) => [`POST ${inEnvironment(values)}/progressions/{plan}/pause`, undefined, plansAt(values)],
  (values) => [`POST ${inEnvironment(values)}/progressions/{plan}/resume`, undefined, plansAt(values)],
  (values) => {
    const body = { targetMilestone: '{next milestone}', transitionCondition: { intervalMinutes: 90 } };
    return [`PUT ${inEnvironment(values)}/progressions/{milestone}`, body, plansAt(values)];
  },
  (values) => [`DELETE ${inEnvironment(values)}/progressions/{milestone}`, undefined, plansAt(values)],
  ...Array<Make>(4).fill(editMilestone),
  (values) => [`DELETE ${plansAt(values)}/{plan}`, undefined, plansAt(values)],
  () => ['CLOCK'],
];

/** Both features are seldom there, and in the project, so that it is asked more often than the rest. */
const depend: Make = (values) => [`POST ${featureAt(values)}/dependencies`, { feature: values.otherFeature }];

const ofFeatures: readonly Make[] = [
  (values) => [`POST ${featureAt(values)}/changeProject`, { newProjectId: values.otherProject }],
  (values) => [`POST ${inEnvironment(values)}/${values.isOn ? 'on' : 'off'}`],
  (values) => [`PUT ${inEnvironment(values)}/variants`, [{ name: 'a', weight: 1000, weightType: 'variable' }]],
  (values) => [`PUT ${featureAt(values)}`, { description: 'edited', type: 'experiment' }],
  (values) => [`DELETE ${featureAt(values)}`],
  ({ feature }) => [`POST ${paths.revived(feature)}`],
  ({ feature }) => [`DELETE ${paths.deleted(feature)}`],
  ({ project }) => [`POST ${admin}/projects/${project}/archive`, { features: [...two.features, 'feature-3'] }],
  ({ project }) => [`POST ${admin}/projects/${project}/delete`, two],
  ({ project, feature }) => [`POST ${admin}/projects/${project}/features`, { name: feature, type: 'release' }],
  (values) => [`POST ${featureAt(values)}/clone`, { name: 'feature-3', replaceGroupId: true }],
  ...[depend, depend, depend],
  (values) => [`DELETE ${featureAt(values)}/dependencies`],
  ({ project }) => [`POST ${admin}/projects/${project}/revive`, two],
  ({ project, environment, feature: name }) => [
    `POST ${importPath}`,
    importOf([{ name, enabled: true, strategies: [{ name: 'default' }] }], { project, environment }),
  ],
];

const ofSpaces: readonly Make[] = [
  () => [`POST ${admin}/environments`, { name: 'lab', type: 'test' }],
  () => [`POST ${admin}/environments/development/clone`, { name: 'lab', type: 'test' }],
  () => [`DELETE ${admin}/environments/lab`],
  () => [`PUT ${admin}/environments/update/lab`, { sortOrder: 7 }],
  ({ project }) => [`POST ${admin}/projects/${project}/environments`, { environment: 'lab' }],
  ({ project }) => [`DELETE ${admin}/projects/${project}/environments/lab`],
  () => [`POST ${admin}/projects`, { id: 'project-1', name: 'One', environments: ['development'] }],
  () => [`POST ${admin}/projects`, { id: 'project-1', name: 'One', environments: ['development', 'lab'] }],
  () => [`DELETE ${admin}/projects/project-1`],
  () => [`PUT ${admin}/projects/project-1`, { name: 'Renamed' }],
  () => [`POST ${admin}/projects/archive/project-1`],
  () => [`POST ${admin}/projects/revive/project-1`],
  ({ environment, projectsOfToken: projects }) => [
    `POST ${admin}/api-tokens`,
    { tokenName: 'ci', type: 'client', environment, projects },
  ],
];

const ofAccess: readonly Make[] = [
  ({ person: username, rootRole }) => [`POST ${admin}/user-admin`, { username, rootRole }],
  ({ account }) => [`DELETE ${admin}/user-admin/${account}`],
  ({ program: username, rootRole }) => [`POST ${admin}/service-account`, { username, rootRole, name: 'A program' }],
  ({ account }) => [`DELETE ${admin}/service-account/${account}`],
  ({ account, words: description }) => [
    `POST ${admin}/service-account/${account}/token`,
    { description, expiresAt: '2126-01-01T00:00:00.000Z' },
  ],
  ({ groupName: name, rootRole, members: users }) => [`POST ${admin}/groups`, { name, rootRole, users }],
  ({ group, rootRole, members: users }) => [
    `PUT ${admin}/groups/${group}`,
    { name: `group ${users.length}`, users, rootRole },
  ],
  ({ group }) => [`DELETE ${admin}/groups/${group}`],
  ({ colour: name, isRootRole, environment }) => [
    `POST ${admin}/roles`,
    isRootRole
      ? { name, type: 'root-custom', permissions: [{ name: 'CREATE_ADDON' }] }
      : { name, permissions: permissionsIn(environment) },
  ],
  ({ role, environment }) => [`PUT ${admin}/roles/${role}`, { name: 'green', permissions: permissionsIn(environment) }],
  ({ role }) => [`DELETE ${admin}/roles/${role}`],
  ({ project, projectRole: id, users, groups }) => [
    `PUT ${admin}/projects/${project}/access`,
    { roles: [{ id, users, groups }] },
  ],
  ({ project, projectRole, account }) => [
    `PUT ${admin}/projects/${project}/users/${account}/roles`,
    { roles: [projectRole] },
  ],
  ({ project, projectRole, group }) => [
    `PUT ${admin}/projects/${project}/groups/${group}/roles`,
    { roles: [projectRole] },
  ],
  ({ project }) => [
    `POST ${admin}/addons`,
    {
      ...{ provider: 'webhook', enabled: false, parameters: { url: 'https://chat.example.com' } },
      ...{ events: ['feature-created'], projects: [project], environments: ['lab'] },
    },
  ],
];

/** Uses of all kinds of things, each kind as often as the others. */
const anyUse: Arbitrary<Use> = fc
  .tuple(
    fc.oneof(
      ...[ofTags, ofStrategies, ofPlans, ofFeatures, ofSpaces, ofAccess].map((each) => fc.constantFrom(...each)),
    ),
    anyValues,
  )
  .map(([make, values]) => {
    const [send, body, listed] = make(values);
    return { send, ...(body !== undefined && { body }), ...(listed !== undefined && { listed }) };
  });

/** Requests that are sent together, and after them others, and so on. */
export const anyRounds = ({ min, max }: { readonly min: number; readonly max: number }) =>
  fc.array(fc.array(anyUse, { minLength: 4, maxLength: 10, size: 'max' }), {
    minLength: min,
    maxLength: max,
    size: 'max',
  });
