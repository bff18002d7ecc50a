import fc, { type Arbitrary } from 'fast-check';
import type { ClientRequest, Facts } from '../history.ts';
import { placeOf } from '../seen-strategies.ts';
import {
  anyFeatureVariants,
  anyFields,
  anyFile,
  anyStrategy,
  anyStrategyChange,
  anyText,
  oneIn,
} from './any-values.ts';

/** A request that lacks nothing but a text that no other request has. */
export type PlannedRequest = (uniqueText: string) => ClientRequest;

/** Imports, which replace strategies, go to one environment mostly, so that they pile up in the other. */
const anyEnvironment = fc.oneof(
  { weight: 60, arbitrary: fc.constant('development') },
  { weight: 36, arbitrary: fc.constant('production') },
  { weight: 4, arbitrary: fc.constant('staging') },
);
const anyImportEnvironment = fc.oneof(
  { weight: 19, arbitrary: fc.constant('development') },
  { weight: 1, arbitrary: fc.constant('production') },
);

/** Number of features that are cloned again and again. */
const clonesMax = 4;

/** Generates changes and reads, each as often as its weight says. */
export function anyPlan(facts: Facts): Arbitrary<PlannedRequest> {
  const environments = facts.environments.map(({ name }) => name);
  const anyProject = fc.constantFrom(...facts.projects.map(({ id }) => id));
  // Mostly where it is mostly.
  const anyFeature = fc
    .tuple(fc.constantFrom(...facts.features), oneIn(6), anyProject)
    .map(([{ name, project }, isAway, away]) => ({ project: isAway ? away : project, feature: name }));
  const someFeatures = fc.oneof(
    ...facts.projects.map(({ id }) => {
      const names = facts.features.filter(({ project }) => project === id).map(({ name }) => name);
      return fc.record({
        project: fc.constant(id),
        features: fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }),
      });
    }),
  );

  const update = fc.tuple(anyFeature, anyFields).map(
    ([feature, fields]): PlannedRequest =>
      (text) => ({ kind: 'update', ...feature, change: fields(text) }),
  );
  const look = anyFeature.map(
    (feature): PlannedRequest =>
      () => ({ kind: 'update', ...feature, change: {} }),
  );
  const moveTo = (archived: boolean) =>
    anyFeature.map(
      (feature): PlannedRequest =>
        () => ({ kind: 'update', ...feature, change: { archived } }),
    );
  const create = fc.tuple(anyFeature, anyFields).map(
    ([feature, fields]): PlannedRequest =>
      (text) => {
        const { stale: _stale, ...own } = fields(text);
        return { kind: 'create', ...feature, fields: own };
      },
  );
  const archive = anyFeature.map(
    (feature): PlannedRequest =>
      () => ({ kind: 'archive', ...feature }),
  );
  const revive = anyFeature.map(
    ({ feature }): PlannedRequest =>
      () => ({ kind: 'revive', feature }),
  );
  const remove = anyFeature.map(
    ({ feature }): PlannedRequest =>
      () => ({ kind: 'delete', feature }),
  );
  const move = fc.tuple(fc.constantFrom(...facts.features), anyProject, oneIn(3)).map(
    ([{ name, project }, other, isAway]): PlannedRequest =>
      () => ({
        ...{ kind: 'move', feature: name },
        ...(isAway ? { project, newProject: other } : { project: other, newProject: project }),
      }),
  );
  // Some names are free most of the time.
  const anyCloned = fc.constantFrom(...facts.features.slice(-clonesMax));
  const anyName = fc.oneof(
    { weight: 4, arbitrary: anyCloned },
    { weight: 1, arbitrary: fc.constantFrom(...facts.features) },
  );
  const clone = fc.tuple(anyFeature, anyName, fc.boolean()).map(
    ([feature, { name }, replaceGroupId]): PlannedRequest =>
      () => ({ kind: 'clone', ...feature, name, replaceGroupId }),
  );
  const archiveClone = anyCloned.map(
    ({ name, project }): PlannedRequest =>
      () => ({ kind: 'archive', project, feature: name }),
  );
  const removeClone = anyCloned.map(
    ({ name }): PlannedRequest =>
      () => ({ kind: 'delete', feature: name }),
  );
  const changeVariants = fc.tuple(anyFeature, anyEnvironment, anyFeatureVariants).map(
    ([feature, environment, variants]): PlannedRequest =>
      () => ({ kind: 'variants', ...feature, environment, variants }),
  );
  const [crowded = { project: '', name: '' }] = facts.features;
  // One place gets so many that it comes to the limit.
  const anyPlace = fc.oneof(
    {
      weight: 2,
      arbitrary: fc.tuple(anyFeature, anyEnvironment).map(([feature, environment]) => ({ ...feature, environment })),
    },
    {
      weight: 1,
      arbitrary: fc.constant({ project: crowded.project, feature: crowded.name, environment: 'production' }),
    },
  );
  const addStrategy = fc.tuple(anyPlace, anyStrategy, fc.option(fc.integer({ min: 0, max: 9 }), { freq: 5 })).map(
    ([target, strategy, sortOrder]): PlannedRequest =>
      (text) => {
        const place = sortOrder === null ? {} : { sortOrder };
        return { kind: 'add strategy', ...target, strategy: { ...strategy(text), ...place } };
      },
  );
  const anyStrategyId = fc.nat({ max: 9 }).map(placeOf);
  const changeStrategy = fc
    .tuple(fc.constantFrom('update strategy', 'patch strategy'), anyPlace, anyStrategyId, anyStrategyChange)
    .map(
      ([kind, place, strategyId, change]): PlannedRequest =>
        (text) => ({ kind, ...place, strategyId, change: change(text) }),
    );
  const deleteStrategy = fc.tuple(anyPlace, anyStrategyId).map(
    ([place, strategyId]): PlannedRequest =>
      () => ({ kind: 'delete strategy', ...place, strategyId }),
  );
  const anyOrder = fc.array(fc.record({ id: anyStrategyId, sortOrder: fc.integer({ min: 0, max: 9 }) }), {
    minLength: 1,
    maxLength: 3,
  });
  const orderStrategies = fc.tuple(anyPlace, anyOrder).map(
    ([place, order]): PlannedRequest =>
      () => ({ kind: 'order strategies', ...place, order }),
  );
  const addTag = fc.tuple(anyFeature, anyText).map(
    ([{ feature }, value]): PlannedRequest =>
      (text) => {
        return { kind: 'add tag', feature, tag: { type: 'simple', value: value(text) } };
      },
  );
  const bulkOff = fc.tuple(someFeatures, anyImportEnvironment).map(
    ([features, environment]): PlannedRequest =>
      () => ({ kind: 'bulk off', ...features, environment }),
  );
  const importFile = fc.tuple(someFeatures, anyImportEnvironment, anyFile).map(
    ([{ project, features }, environment, file]): PlannedRequest =>
      (text) => {
        return { kind: 'import', project, environment, features: features.map((name) => file(name, text)) };
      },
  );
  const defaultStrategy = fc.tuple(anyProject, fc.constantFrom('development', 'production', '*'), anyStrategy).map(
    ([project, environment, strategy]): PlannedRequest =>
      (text) => {
        return { kind: 'default strategy', project, environment, strategy: strategy(text) };
      },
  );
  const addEnvironment = fc.tuple(anyProject, fc.constantFrom(...environments), fc.boolean(), anyStrategy).map(
    ([project, environment, hasStrategy, strategy]): PlannedRequest =>
      (text) => {
        return { kind: 'add environment', project, environment, ...(hasStrategy && { strategy: strategy(text) }) };
      },
  );
  const readVariants = fc.tuple(anyFeature, anyEnvironment).map(
    ([feature, environment]): PlannedRequest =>
      () => ({ kind: 'read variants', ...feature, environment }),
  );
  const readEvents = fc.tuple(anyFeature, fc.constantFrom(1, 5, 20)).map(
    ([{ feature }, limit]): PlannedRequest =>
      () => ({ kind: 'read events', feature, limit }),
  );
  const readArchive = anyProject.map(
    (project): PlannedRequest =>
      () => ({ kind: 'read archive', project }),
  );
  const readEnvironments = fc.constant<PlannedRequest>(() => ({ kind: 'read environments' }));

  return fc.oneof(
    { weight: 180, arbitrary: update },
    { weight: 80, arbitrary: look },
    { weight: 40, arbitrary: create },
    { weight: 8, arbitrary: moveTo(true) },
    { weight: 8, arbitrary: archive },
    { weight: 50, arbitrary: moveTo(false) },
    { weight: 40, arbitrary: revive },
    { weight: 20, arbitrary: remove },
    { weight: 30, arbitrary: move },
    { weight: 40, arbitrary: clone },
    { weight: 25, arbitrary: archiveClone },
    { weight: 25, arbitrary: removeClone },
    { weight: 60, arbitrary: changeVariants },
    { weight: 60, arbitrary: changeStrategy },
    { weight: 25, arbitrary: deleteStrategy },
    { weight: 25, arbitrary: orderStrategies },
    { weight: 190, arbitrary: addStrategy },
    { weight: 110, arbitrary: addTag },
    { weight: 60, arbitrary: bulkOff },
    { weight: 110, arbitrary: importFile },
    { weight: 10, arbitrary: defaultStrategy },
    { weight: 3, arbitrary: addEnvironment },
    { weight: 60, arbitrary: readVariants },
    { weight: 60, arbitrary: readEvents },
    { weight: 25, arbitrary: readArchive },
    { weight: 25, arbitrary: readEnvironments },
  );
}
