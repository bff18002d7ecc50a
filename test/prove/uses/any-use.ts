import fc, { type Arbitrary } from 'fast-check';
import { paths } from '../../harness/features.ts';

/** A request on things that others use, change, move and delete at the same time. */
export interface Use {
  /** Method and path; `{strategy}` stands for the id of a strategy that is read from `strategies` before. */
  readonly send: string;
  readonly body?: unknown;
  /** Where the strategies of a feature are listed. */
  readonly strategies?: string;
}

const project = fc.constantFrom('default', 'project-1');
const environment = fc.constantFrom('development', 'lab');
const feature = fc.constantFrom('feature-1', 'feature-2', 'feature-3');
const type = fc.constantFrom('team', 'area');
const tag = fc.record({ type, value: fc.constantFrom('one', 'two') });
const segment = fc.integer({ min: 1, max: 4 });
const strategyType = fc.constantFrom('default', 'beta');
const someSegments = fc.uniqueArray(segment, { maxLength: 2 });
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
  fc.record({ project, environment, name: strategyType, segments: someSegments }).map(({ project: id, ...use }) => ({
    send: `POST ${admin}/projects/${id}/environments/${use.environment}/default-strategy`,
    body: { name: use.name, segments: use.segments },
  })),
  always(`POST ${admin}/strategies`, { name: 'beta', parameters: [] }),
  always(`DELETE ${admin}/strategies/beta`),
  always(`PUT ${admin}/strategies/beta`, { name: 'beta', description: 'x', parameters: [] }),
  always(`POST ${admin}/context`, { name: 'region' }),
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
  fc.record({ project, environment, feature }).map(({ feature: name, ...into }) => ({
    send: `POST ${admin}/features-batch/import`,
    body: {
      ...into,
      data: {
        features: [{ name }],
        featureStrategies: [{ name: 'default', featureName: name }],
        featureEnvironments: [{ name, enabled: true }],
        tagTypes: [],
      },
    },
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

/** Each kind of thing as often as the others. */
export const anyUse: Arbitrary<Use> = fc.oneof(ofTags, ofStrategies, ofFeatures, ofSpaces);

/** Requests that are sent together, and after them others, and so on. */
export const anyRounds = ({ min, max }: { readonly min: number; readonly max: number }) =>
  fc.array(fc.array(anyUse, { minLength: 4, maxLength: 10, size: 'max' }), {
    minLength: min,
    maxLength: max,
    size: 'max',
  });
