import fc, { type Arbitrary } from 'fast-check';
import { paths } from '../../harness/features.ts';
import { importOf, importPath } from '../../harness/import-file.ts';
import type { NamedKind } from '../../invariants/namings.ts';

/**
 * A request on things that others use, change, move and delete at the same time. In its path and its body `{segment 2}`
 * stands for the id of one of the segments that were there before, and so on.
 */
export interface Use {
  /** Method and path. In it and in the body `{strategy}` stands for the id of a strategy, read from `strategies` before. */
  readonly send: string;
  readonly body?: unknown;
  /** Path that lists the strategies of a feature. */
  readonly strategies?: string;
}

const project = fc.constantFrom('default', 'project-1');
const environment = fc.constantFrom('development', 'lab');
const feature = fc.constantFrom('feature-1', 'feature-2', 'feature-3');
const type = fc.constantFrom('team', 'area');
const tag = fc.record({ type, value: fc.constantFrom('one', 'two') });
const oneOf = (kind: NamedKind) => fc.nat({ max: 3 }).map((number) => `{${kind} ${number}}`);
const segment = oneOf('segment');
const strategyType = fc.constantFrom('default', 'beta');
const someSegments = fc.uniqueArray(segment, { maxLength: 2, size: 'max' });
const place = fc.record({ feature, project, environment });
type Place = { readonly feature: string; readonly project: string; readonly environment: string };

const admin = '/api/admin';
const always = (send: string, body?: unknown) => fc.constant<Use>({ send, ...(body !== undefined && { body }) });
const inEnvironment = ({ feature: name, project: id, environment: of }: Place) =>
  `${paths.feature(name, id)}/environments/${of}`;
const strategiesAt = (at: Place) => `${inEnvironment(at)}/strategies`;

const ofTags: Arbitrary<Use> = fc.oneof(
  fc.record({ feature, tag }).map(({ feature: name, tag: body }) => ({ send: `POST ${paths.tags(name)}`, body })),
  fc
    .record({ feature, tag })
    .map(({ feature: name, tag: { type: of, value } }) => ({ send: `DELETE ${paths.tags(name)}/${of}/${value}` })),
  fc
    .record({ feature, addedTags: fc.array(tag, { maxLength: 1 }), removedTags: fc.array(tag, { maxLength: 1 }) })
    .map(({ feature: name, ...body }) => ({ send: `PUT ${paths.tags(name)}`, body })),
  fc.record({ project, tags: fc.array(tag, { maxLength: 2 }) }).map(({ project: id, tags }) => ({
    send: `PUT ${admin}/projects/${id}/tags`,
    body: { features: ['feature-1'], tags: { addedTags: tags, removedTags: [] } },
  })),
  tag.map((body) => ({ send: `POST ${admin}/tags`, body })),
  tag.map(({ type: of, value }) => ({ send: `DELETE ${admin}/tags/${of}/${value}` })),
  type.map((name) => ({ send: `DELETE ${admin}/tag-types/${name}` })),
  type.map((name) => ({ send: `POST ${admin}/tag-types`, body: { name } })),
);

const ofStrategies: Arbitrary<Use> = fc.oneof(
  fc.record({ place, name: strategyType, segments: someSegments }).map(({ place: at, ...body }) => ({
    send: `POST ${strategiesAt(at)}`,
    body: { ...body, constraints: [{ contextName: 'region', operator: 'IN', values: ['CH'] }] },
  })),
  fc.record({ place, segments: someSegments }).map(({ place: at, segments }) => ({
    send: `PUT ${strategiesAt(at)}/{strategy}`,
    strategies: strategiesAt(at),
    body: { name: 'default', segments, parameters: {}, constraints: [] },
  })),
  place.map((at) => ({ send: `DELETE ${strategiesAt(at)}/{strategy}`, strategies: strategiesAt(at) })),
  fc.record({ place, segmentIds: someSegments }).map(({ place: at, segmentIds }) => ({
    send: `POST ${admin}/segments/strategies`,
    strategies: strategiesAt(at),
    body: { projectId: at.project, environmentId: at.environment, strategyId: '{strategy}', segmentIds },
  })),
  fc.record({ project, environment, name: strategyType, segments: someSegments }).map(({ project: id, ...use }) => ({
    send: `POST ${admin}/projects/${id}/environments/${use.environment}/default-strategy`,
    body: { name: use.name, segments: use.segments },
  })),
  always(`POST ${admin}/strategies`, { name: 'beta', parameters: [] }),
  always(`DELETE ${admin}/strategies/beta`),
  always(`PUT ${admin}/strategies/beta`, { name: 'beta', description: 'x', parameters: [] }),
  always(`POST ${admin}/context`, { name: 'region' }),
  project.map((id) => ({ send: `POST ${admin}/projects/${id}/context`, body: { name: 'area' } })),
  always(`DELETE ${admin}/context/region`),
  segment.map((id) => ({ send: `DELETE ${admin}/segments/${id}` })),
  fc.record({ id: segment, name: fc.constantFrom('red', 'blue') }).map(({ id, name }) => ({
    send: `PUT ${admin}/segments/${id}`,
    body: { name, constraints: [] },
  })),
  fc.record({ name: fc.constantFrom('red', 'blue'), project: fc.constantFrom(null, 'project-1') }).map((body) => ({
    send: `POST ${admin}/segments`,
    body: { ...body, constraints: [] },
  })),
);

const ofFeatures: Arbitrary<Use> = fc.oneof(
  fc.record({ feature, from: project, to: project }).map((move) => ({
    send: `POST ${paths.feature(move.feature, move.from)}/changeProject`,
    body: { newProjectId: move.to },
  })),
  fc.record({ place, isOn: fc.boolean() }).map(({ place: at, isOn }) => ({
    send: `POST ${inEnvironment(at)}/${isOn ? 'on' : 'off'}`,
  })),
  place.map((at) => ({
    send: `PUT ${inEnvironment(at)}/variants`,
    body: [{ name: 'a', weight: 1000, weightType: 'variable' }],
  })),
  fc.record({ feature, project }).map((each) => ({
    send: `PUT ${paths.feature(each.feature, each.project)}`,
    body: { description: 'edited', type: 'experiment' },
  })),
  fc.record({ feature, project }).map((each) => ({ send: `DELETE ${paths.feature(each.feature, each.project)}` })),
  feature.map((name) => ({ send: `POST ${paths.revived(name)}` })),
  feature.map((name) => ({ send: `DELETE ${paths.deleted(name)}` })),
  project.map((id) => ({
    send: `POST ${admin}/projects/${id}/archive`,
    body: { features: ['feature-1', 'feature-2', 'feature-3'] },
  })),
  project.map((id) => ({
    send: `POST ${admin}/projects/${id}/delete`,
    body: { features: ['feature-1', 'feature-2'] },
  })),
  fc.record({ feature, project }).map((each) => ({
    send: `POST ${admin}/projects/${each.project}/features`,
    body: { name: each.feature, type: 'release' },
  })),
  fc.record({ feature, project }).map((each) => ({
    send: `POST ${paths.feature(each.feature, each.project)}/clone`,
    body: { name: 'feature-3', replaceGroupId: true },
  })),
  fc.record({ project, parent: feature, child: feature }).map(({ project: id, parent, child }) => ({
    send: `POST ${paths.feature(child, id)}/dependencies`,
    body: { feature: parent },
  })),
  fc.record({ project, feature }).map((each) => ({
    send: `DELETE ${paths.feature(each.feature, each.project)}/dependencies`,
  })),
  project.map((id) => ({
    send: `POST ${admin}/projects/${id}/revive`,
    body: { features: ['feature-1', 'feature-2'] },
  })),
  fc.record({ project, environment, feature }).map(({ feature: name, ...into }) => ({
    send: `POST ${importPath}`,
    body: importOf([{ name, enabled: true, strategies: [{ name: 'default' }] }], into),
  })),
);

const ofSpaces: Arbitrary<Use> = fc.oneof(
  always(`POST ${admin}/environments`, { name: 'lab', type: 'test' }),
  always(`POST ${admin}/environments/development/clone`, { name: 'lab', type: 'test' }),
  always(`DELETE ${admin}/environments/lab`),
  always(`PUT ${admin}/environments/update/lab`, { sortOrder: 7 }),
  project.map((id) => ({ send: `POST ${admin}/projects/${id}/environments`, body: { environment: 'lab' } })),
  project.map((id) => ({ send: `DELETE ${admin}/projects/${id}/environments/lab` })),
  always(`POST ${admin}/projects`, { id: 'project-1', name: 'One', environments: ['development'] }),
  always(`POST ${admin}/projects`, { id: 'project-1', name: 'One', environments: ['development', 'lab'] }),
  always(`DELETE ${admin}/projects/project-1`),
  always(`PUT ${admin}/projects/project-1`, { name: 'Renamed' }),
  always(`POST ${admin}/projects/archive/project-1`),
  always(`POST ${admin}/projects/revive/project-1`),
  fc
    .record({ environment, projects: fc.constantFrom(['project-1'], ['*'], ['default', 'project-1']) })
    .map((scope) => ({
      send: `POST ${admin}/api-tokens`,
      body: { tokenName: 'ci', type: 'client', ...scope },
    })),
);

const account = oneOf('account');
const role = oneOf('role');
const group = oneOf('group');
const rootRole = fc.oneof(fc.constant(3), role);
const projectRole = fc.oneof(fc.constant(5), role);
const members = fc.uniqueArray(account, { maxLength: 2 }).map((ids) => ids.map((id) => ({ user: { id } })));
const permissions = environment.map((of) => [{ name: 'UPDATE_FEATURE_ENVIRONMENT', environment: of }]);
const expiresAt = '2126-01-01T00:00:00.000Z';

const ofAccess: Arbitrary<Use> = fc.oneof(
  fc.record({ username: fc.constantFrom('ann', 'bob'), rootRole }).map((body) => ({
    send: `POST ${admin}/user-admin`,
    body,
  })),
  account.map((id) => ({ send: `DELETE ${admin}/user-admin/${id}` })),
  fc.record({ username: fc.constantFrom('ci', 'cd'), rootRole }).map((body) => ({
    send: `POST ${admin}/service-account`,
    body: { ...body, name: 'A program' },
  })),
  account.map((id) => ({ send: `DELETE ${admin}/service-account/${id}` })),
  fc.record({ account, description: fc.constantFrom('one', 'two') }).map(({ account: id, description }) => ({
    send: `POST ${admin}/service-account/${id}/token`,
    body: { description, expiresAt },
  })),
  fc.record({ name: fc.constantFrom('readers', 'writers'), rootRole, users: members }).map((body) => ({
    send: `POST ${admin}/groups`,
    body,
  })),
  fc.record({ group, users: members, rootRole }).map(({ group: id, ...body }) => ({
    send: `PUT ${admin}/groups/${id}`,
    body: { name: `group ${body.users.length}`, ...body },
  })),
  group.map((id) => ({ send: `DELETE ${admin}/groups/${id}` })),
  fc.record({ name: fc.constantFrom('red', 'blue'), isRoot: fc.boolean(), permissions }).map(({ isRoot, ...body }) => ({
    send: `POST ${admin}/roles`,
    body: isRoot ? { name: body.name, type: 'root-custom', permissions: [{ name: 'CREATE_ADDON' }] } : body,
  })),
  fc.record({ role, permissions }).map(({ role: id, permissions: given }) => ({
    send: `PUT ${admin}/roles/${id}`,
    body: { name: 'green', permissions: given },
  })),
  role.map((id) => ({ send: `DELETE ${admin}/roles/${id}` })),
  fc
    .record({ project, projectRole, users: fc.array(account, { maxLength: 1 }), groups: fc.array(group) })
    .map(({ project: id, projectRole: given, ...holders }) => ({
      send: `PUT ${admin}/projects/${id}/access`,
      body: { roles: [{ id: given, ...holders }] },
    })),
  fc.record({ project, projectRole, account }).map(({ project: id, projectRole: given, account: holder }) => ({
    send: `PUT ${admin}/projects/${id}/users/${holder}/roles`,
    body: { roles: [given] },
  })),
  fc.record({ project, projectRole, group }).map(({ project: id, projectRole: given, group: holder }) => ({
    send: `PUT ${admin}/projects/${id}/groups/${holder}/roles`,
    body: { roles: [given] },
  })),
  project.map((id) => ({
    send: `POST ${admin}/addons`,
    body: {
      ...{ provider: 'webhook', enabled: false, parameters: { url: 'https://chat.example.com' } },
      ...{ events: ['feature-created'], projects: [id], environments: ['lab'] },
    },
  })),
);

/** Uses of all kinds of things, each as often as the others. */
export const anyUse: Arbitrary<Use> = fc.oneof(ofTags, ofStrategies, ofFeatures, ofSpaces, ofAccess);

/** Requests that are sent together, and after them others, and so on. */
export const anyRounds = ({ min, max }: { readonly min: number; readonly max: number }) =>
  fc.array(fc.array(anyUse, { minLength: 4, maxLength: 10, size: 'max' }), {
    minLength: min,
    maxLength: max,
    size: 'max',
  });
