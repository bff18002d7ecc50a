import fc, { type Arbitrary } from 'fast-check';
import type { ClientRequest, Facts } from '../history.ts';
import { placeOf } from '../seen-parts.ts';
import {
  anyFeatureVariants,
  anyFields,
  anyFile,
  anyStrategy,
  anyStrategyChange,
  generatedText,
  oneIn,
} from './any-values.ts';

/** A request that lacks nothing but a text that no other request has. */
type PlannedRequest = (uniqueText: string) => ClientRequest;

/** Features get plans where no import switches them on, so that each plan has its time. */
const environmentOfPlans = 'staging';

/** Imports, which replace strategies, go to one environment mostly, so that they pile up in the other. */
const anyEnvironment = fc.oneof(
  { weight: 56, arbitrary: fc.constant('development') },
  { weight: 32, arbitrary: fc.constant('production') },
  { weight: 8, arbitrary: fc.constant(environmentOfPlans) },
  // Projects get it late.
  { weight: 4, arbitrary: fc.constant('default') },
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

  // Some names are free most of the time.
  const anyCloned = fc.constantFrom(...facts.features.slice(-clonesMax));
  const anyName = fc.oneof(
    { weight: 4, arbitrary: anyCloned },
    { weight: 1, arbitrary: fc.constantFrom(...facts.features) },
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
  const anyStrategyId = fc.nat({ max: 9 }).map(placeOf);
  const anyOrder = fc.array(fc.record({ id: anyStrategyId, sortOrder: fc.integer({ min: 0, max: 9 }) }), {
    minLength: 1,
    maxLength: 3,
  });

  const anyPlaceOfPlan = anyFeature.map((feature) => ({ ...feature, environment: environmentOfPlans }));
  const anyMilestone = fc.constantFrom(0, 1, 2);
  const anyTemplate = fc.constantFrom(...facts.templates);

  return fc.oneof(
    asking(80, fc.tuple(anyPlaceOfPlan, anyTemplate), ([place, { id: templateId }]) => {
      return { kind: 'add plan', ...place, templateId };
    }),
    asking(70, anyPlaceOfPlan, (place) => ({ kind: 'on', ...place })),
    asking(10, anyPlaceOfPlan, (place) => ({ kind: 'off', ...place })),
    asking(60, fc.tuple(anyPlaceOfPlan, anyMilestone), ([place, index]) => {
      return { kind: 'start milestone', ...place, planId: placeOf(0), milestoneId: placeOf(index) };
    }),
    asking(
      70,
      fc.tuple(fc.constantFrom('pause plan', 'resume plan', 'resume plan'), anyPlaceOfPlan),
      ([kind, place]) => ({ kind, ...place, planId: placeOf(0) }),
    ),
    asking(8, anyPlaceOfPlan, (place) => ({ kind: 'remove plan', ...place, planId: placeOf(0) })),
    asking(
      40,
      fc.tuple(anyPlaceOfPlan, anyMilestone, oneIn(10), fc.integer({ min: 1, max: 4 })),
      ([place, index, isWrong, minutes]) => {
        const [milestoneId, targetId] = [placeOf(index), placeOf(isWrong ? index : index + 1)];
        return { kind: 'time milestone', ...place, milestoneId, targetId, minutes };
      },
    ),
    asking(15, fc.tuple(anyPlaceOfPlan, anyMilestone), ([place, index]) => {
      return { kind: 'untime milestone', ...place, milestoneId: placeOf(index) };
    }),
    asking(180, fc.tuple(anyFeature, anyFields), ([feature, fields], text) => {
      return { kind: 'update', ...feature, change: fields(text) };
    }),
    asking(80, anyFeature, (feature) => ({ kind: 'update', ...feature, change: {} })),
    asking(40, fc.tuple(anyFeature, anyFields), ([feature, fields], text) => {
      const { stale: _stale, ...own } = fields(text);
      return { kind: 'create', ...feature, fields: own };
    }),
    asking(8, anyFeature, (feature) => ({ kind: 'update', ...feature, change: { archived: true } })),
    asking(8, anyFeature, (feature) => ({ kind: 'archive', ...feature })),
    asking(50, anyFeature, (feature) => ({ kind: 'update', ...feature, change: { archived: false } })),
    asking(40, anyFeature, ({ feature }) => ({ kind: 'revive', feature })),
    asking(20, anyFeature, ({ feature }) => ({ kind: 'delete', feature })),
    asking(
      30,
      fc.tuple(fc.constantFrom(...facts.features), anyProject, oneIn(3)),
      ([{ name: feature, project }, other, isAway]) => ({
        ...{ kind: 'move', feature },
        ...(isAway ? { project, newProject: other } : { project: other, newProject: project }),
      }),
    ),
    asking(40, fc.tuple(anyFeature, anyName, fc.boolean()), ([feature, { name }, replaceGroupId]) => {
      return { kind: 'clone', ...feature, name, replaceGroupId };
    }),
    asking(25, anyCloned, ({ name, project }) => ({ kind: 'archive', project, feature: name })),
    asking(25, anyCloned, ({ name }) => ({ kind: 'delete', feature: name })),
    asking(60, fc.tuple(anyFeature, anyEnvironment, anyFeatureVariants), ([feature, environment, variants]) => {
      return { kind: 'variants', ...feature, environment, variants };
    }),
    asking(
      60,
      fc.tuple(fc.constantFrom('update strategy', 'patch strategy'), anyPlace, anyStrategyId, anyStrategyChange),
      ([kind, place, strategyId, change], text) => ({ kind, ...place, strategyId, change: change(text) }),
    ),
    asking(25, fc.tuple(anyPlace, anyStrategyId), ([place, strategyId]) => {
      return { kind: 'delete strategy', ...place, strategyId };
    }),
    asking(25, fc.tuple(anyPlace, anyOrder), ([place, order]) => ({ kind: 'order strategies', ...place, order })),
    asking(
      190,
      fc.tuple(anyPlace, anyStrategy, fc.option(fc.integer({ min: 0, max: 9 }), { freq: 5 })),
      ([place, strategy, sortOrder], text) => {
        return {
          kind: 'add strategy',
          ...place,
          strategy: { ...strategy(text), ...(sortOrder !== null && { sortOrder }) },
        };
      },
    ),
    asking(110, fc.tuple(anyFeature, generatedText), ([{ feature }, value], text) => {
      return { kind: 'add tag', feature, tag: { type: 'simple', value: value(text) } };
    }),
    asking(60, fc.tuple(someFeatures, anyImportEnvironment), ([features, environment]) => {
      return { kind: 'bulk off', ...features, environment };
    }),
    asking(
      110,
      fc.tuple(someFeatures, anyImportEnvironment, anyFile),
      ([{ project, features }, environment, file], text) => {
        return { kind: 'import', project, environment, features: features.map((name) => file(name, text)) };
      },
    ),
    asking(
      10,
      fc.tuple(anyProject, fc.constantFrom('development', 'production', '*'), anyStrategy),
      ([project, environment, strategy], text) => {
        return {
          kind: 'default strategy',
          project,
          environment,
          strategy: { ...strategy(text), name: 'flexibleRollout' },
        };
      },
    ),
    asking(
      3,
      fc.tuple(anyProject, fc.constantFrom(...environments), fc.boolean(), anyStrategy),
      ([project, environment, hasStrategy, strategy], text) => {
        return {
          kind: 'add environment',
          project,
          environment,
          ...(hasStrategy && { strategy: { ...strategy(text), name: 'flexibleRollout' } }),
        };
      },
    ),
    asking(60, fc.tuple(anyFeature, anyEnvironment), ([feature, environment]) => {
      return { kind: 'read variants', ...feature, environment };
    }),
    asking(60, fc.tuple(anyFeature, fc.constantFrom(1, 5, 20)), ([{ feature }, limit]) => {
      return { kind: 'read events', feature, limit };
    }),
    asking(25, anyProject, (project) => ({ kind: 'read archive', project })),
    asking(25, fc.constant(undefined), () => ({ kind: 'read environments' })),
  );
}

/** A request of generated values, and how often it is made. */
function asking<T>(weight: number, values: Arbitrary<T>, request: (values: T, uniqueText: string) => ClientRequest) {
  return {
    weight,
    arbitrary: values.map(
      (given): PlannedRequest =>
        (uniqueText) =>
          request(given, uniqueText),
    ),
  };
}
