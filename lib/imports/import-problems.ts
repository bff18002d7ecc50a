import type { ContextField } from '../context-fields/context-field-schema.ts';
import { collectLegalValues, findIllegalValues } from '../context-fields/legal-values.ts';
import { ApiError, type ErrorDetail, invalidRequest, truncate } from '../errors.ts';
import { linksMax, parseLinkAddress } from '../features/change-links.ts';
import { strategiesMax } from '../features/strategies/strategy-schema.ts';
import { listCapacityProblems } from '../features/target-project.ts';
import { findMisnamed } from '../projects/feature-naming.ts';
import { countExpressionSteps } from '../segments/expression-limit.ts';
import { tagsMax } from '../tags/tag-schema.ts';
import { expressionStepsMax, tooManyStepsMessage } from '../values/expression-steps.ts';
import { findDuplicates } from '../values/lists.ts';
import { isName, nameRule } from '../values/primitives.ts';
import { featureOfState, withoutFeatures } from './by-feature.ts';
import { dependencyProblems, type KnownFeatures } from './dependency-problems.ts';
import type { ExportData } from './import-data-schema.ts';
import type { ImportReferences } from './import-references.ts';
import { tagOf } from './wanted-feature.ts';

/** Facts that a file is checked against. */
export interface KnownToImport
  extends KnownFeatures,
    Pick<
      ImportReferences,
      | 'archived'
      | 'counts'
      | 'environment'
      | 'strategyTypes'
      | 'contextFields'
      | 'hiddenFields'
      | 'tagTypes'
      | 'segments'
    > {}

type Check = (data: ExportData, known: KnownToImport) => ErrorDetail[];

const checks: readonly Check[] = [
  featureProblems,
  strategyProblems,
  stateProblems,
  tagProblems,
  contextFieldProblems,
  segmentProblems,
  dependencyProblems,
  linkProblems,
];

/** Lists everything that prevents the import of a file, in the order of its parts; what it says of archived features does not. */
export function importProblems(file: ExportData, references: KnownToImport): ErrorDetail[] {
  const { data, pathInFile } = withoutFeatures(file, references.archived);
  return checks
    .flatMap((check) => check(data, references))
    .map(({ path, ...problem }) => ({ ...problem, ...(path !== undefined && { path: pathInFile(path) }) }));
}

function featureProblems({ features }: ExportData, { features: stored, project, counts }: KnownToImport) {
  const added = features.filter(({ name }) => isName(name) && !stored.has(name));
  const newNames = added.map(({ name }) => name);
  const reasons = findMisnamed(project.featureNaming, newNames);
  const names = (isMeant: (feature: { readonly archived?: boolean }) => boolean) =>
    new Set(added.filter(isMeant).map(({ name }) => name)).size;
  const more = {
    live: names(({ archived }) => archived !== true),
    archived: names(({ archived }) => archived === true),
  };
  const others = features.flatMap(({ name }, index): ErrorDetail[] => {
    const path = `data.features.${index}.name`;
    if (!isName(name)) return [{ message: `"${truncate(name)}" cannot be the name of a feature. ${nameRule}`, path }];
    const existing = stored.get(name);
    if (existing === undefined) {
      const reason = reasons.get(name);
      return reason === undefined ? [] : [{ message: reason, path }];
    }
    return existing.project === project.id
      ? []
      : [{ message: `The feature "${name}" exists in another project.`, path }];
  });
  return [...repeatedFeatures(features), ...others, ...listCapacityProblems(project, counts, more)];
}

function repeatedFeatures(features: ExportData['features']): ErrorDetail[] {
  return findDuplicates(features.map(({ name }) => name)).map((name) => ({
    message: `The feature "${truncate(name)}" appears in the file more than once.`,
    path: 'data.features',
  }));
}

/** Returns the error for the problems of a file: as on Unleash, a 409 where some features are in it twice and nothing else is wrong. */
export function buildRefusal(problems: readonly ErrorDetail[], { features }: ExportData): ApiError {
  const refusal = invalidRequest(problems);
  const repeated = new Set(repeatedFeatures(features).map(({ message }) => message));
  if (!problems.every(({ message }) => repeated.has(message))) return refusal;
  return new ApiError('NameExistsError', refusal.message, refusal.details);
}

function strategyProblems(data: ExportData, references: KnownToImport): ErrorDetail[] {
  const inFile = namesIn(data);
  const segmentIds = new Set(data.segments.map(({ id }) => id));
  const legalValues = collectLegalValues(knownFields(data, references));
  return [
    ...overfullFeatures(data, references),
    ...laboriousFeatures(data, references),
    ...data.featureStrategies.flatMap(({ name, featureName, segments = [], constraints = [] }, index) => {
      const path = `data.featureStrategies.${index}`;
      const unknownSegments = segments.filter((id) => !segmentIds.has(id));
      return [
        ...(inFile.has(featureName) ? [] : [absent('strategy', featureName, `${path}.featureName`)]),
        ...(references.strategyTypes.has(name)
          ? []
          : [{ message: `There is no strategy type "${truncate(name)}".`, path: `${path}.name` }]),
        ...unknownSegments.map((id) => ({
          message: `The segment ${id} is not in the file.`,
          path: `${path}.segments`,
        })),
        ...findIllegalValues(constraints, legalValues, `${path}.constraints`),
      ];
    }),
  ];
}

/** A feature that is on without an enabled strategy gets the default one in addition to those of the file. */
function overfullFeatures(data: ExportData, { features, environment }: KnownToImport): ErrorDetail[] {
  const strategies = Map.groupBy(data.featureStrategies, ({ featureName }) => featureName);
  const states = new Map(data.featureEnvironments.map((state) => [featureOfState(state), state.enabled]));
  return [...strategies].flatMap(([name, list]) => {
    const stored = features.get(name)?.revision.summaries.get(environment);
    const isOn = states.get(name) ?? stored?.enabled ?? false;
    const added = isOn && list.every(({ disabled }) => disabled) ? 1 : 0;
    if (list.length + added <= strategiesMax) return [];
    const message = `The feature "${truncate(name)}" would have ${list.length + added} strategies, more than ${strategiesMax}.`;
    return [{ message, path: 'data.featureStrategies' }];
  });
}

/** A feature that is there already may keep what it has, so that it is looked at when it is decided on. */
function laboriousFeatures({ featureStrategies }: ExportData, { features }: KnownToImport): ErrorDetail[] {
  const added = featureStrategies.filter(({ featureName }) => !features.has(featureName));
  return [...Map.groupBy(added, ({ featureName }) => featureName)].flatMap(([name, strategies]) => {
    const steps = countExpressionSteps(strategies);
    if (steps <= expressionStepsMax) return [];
    return [{ message: tooManyStepsMessage(`the feature "${truncate(name)}"`, steps), path: 'data.featureStrategies' }];
  });
}

/** Returns the context fields as they are once the file's new ones are there. */
function knownFields(data: ExportData, { contextFields }: KnownToImport) {
  const inFile = data.contextFields.map(({ name, legalValues = [] }) => [name, { legalValues }] as const);
  return new Map<string, Pick<ContextField, 'legalValues'>>([...inFile, ...contextFields]);
}

function stateProblems(data: ExportData): ErrorDetail[] {
  const inFile = namesIn(data);
  const names = data.featureEnvironments.map(featureOfState);
  return [
    ...findDuplicates(names).map((name) => ({
      message: `The feature "${truncate(name)}" has more than one state in the file.`,
      path: 'data.featureEnvironments',
    })),
    ...names.flatMap((name, index) =>
      inFile.has(name) ? [] : [absent('state', name, `data.featureEnvironments.${index}`)],
    ),
  ];
}

function linkProblems(data: ExportData): ErrorDetail[] {
  const inFile = namesIn(data);
  const all = data.links ?? [];
  const tooMany = [...Map.groupBy(all, ({ feature }) => feature)].filter(
    ([, each]) => each.flatMap(({ links }) => links).length > linksMax,
  );
  return [
    ...tooMany.map(([name]) => ({
      message: `The feature "${truncate(name)}" has more than ${linksMax} links.`,
      path: 'data.links',
    })),
    ...all.flatMap(({ feature, links }, index) => [
      ...(inFile.has(feature) ? [] : [absent('link', feature, `data.links.${index}.feature`)]),
      ...links.flatMap(({ url }, place) =>
        parseLinkAddress(url) === undefined
          ? [{ message: 'An address of http or https is required.', path: `data.links.${index}.links.${place}.url` }]
          : [],
      ),
    ]),
  ];
}

function tagProblems(data: ExportData, { tagTypes }: KnownToImport): ErrorDetail[] {
  const inFile = namesIn(data);
  const types = new Set(data.tagTypes.map(({ name }) => name));
  const tooMany = [...Map.groupBy(data.featureTags ?? [], ({ featureName }) => featureName)].filter(
    ([, tags]) => tags.length > tagsMax,
  );
  return [
    ...describedTwice('tag type', data.tagTypes, 'data.tagTypes'),
    ...tooMany.map(([name]) => ({
      message: `The feature "${truncate(name)}" has more than ${tagsMax} tags.`,
      path: 'data.featureTags',
    })),
    ...(data.featureTags ?? []).flatMap((tag, index) => {
      const { type } = tagOf(tag);
      const path = `data.featureTags.${index}`;
      return [
        ...(inFile.has(tag.featureName) ? [] : [absent('tag', tag.featureName, `${path}.featureName`)]),
        ...(types.has(type) || tagTypes.has(type)
          ? []
          : [{ message: `There is no tag type "${truncate(type)}".`, path }]),
      ];
    }),
  ];
}

/** Legal values are what others rely on; a file does not widen them unasked. */
function contextFieldProblems({ contextFields }: ExportData, { contextFields: known, hiddenFields }: KnownToImport) {
  const foreign = contextFields.flatMap(({ name }, index): ErrorDetail[] =>
    hiddenFields.has(name)
      ? [
          {
            message: `The context field "${name}" exists in another project.`,
            path: `data.contextFields.${index}.name`,
          },
        ]
      : [],
  );
  const missing = contextFields.flatMap(({ name, legalValues = [] }, index) => {
    const existing = known.get(name);
    const legal = new Set(existing?.legalValues.map(({ value }) => value));
    return legalValues
      .filter(({ value }) => existing !== undefined && !legal.has(value))
      .map(({ value }) => ({
        message: `The context field "${name}" exists without the legal value "${truncate(value)}".`,
        path: `data.contextFields.${index}.legalValues`,
      }));
  });
  return [...describedTwice('context field', contextFields, 'data.contextFields'), ...foreign, ...missing];
}

function segmentProblems({ segments }: ExportData, { segments: known, project }: KnownToImport): ErrorDetail[] {
  return segments.flatMap(({ name }, index) => {
    const path = `data.segments.${index}.name`;
    const segment = known.get(name);
    if (segment === undefined) return [{ message: `There is no segment "${truncate(name)}".`, path }];
    const isForeign = (segment.project ?? project.id) !== project.id;
    return isForeign ? [{ message: `The segment "${name}" belongs to another project.`, path }] : [];
  });
}

/**
 * Lists things that a file describes more than once: identical descriptions count once, different ones contradict each
 * other.
 */
function describedTwice(kind: string, things: readonly { readonly name: string }[], path: string): ErrorDetail[] {
  const distinct = new Map(things.map((thing) => [JSON.stringify(thing), thing]));
  return findDuplicates([...distinct.values()].map(({ name }) => name)).map((name) => ({
    message: `The ${kind} "${truncate(name)}" appears in the file more than once, with different contents.`,
    path,
  }));
}

function namesIn({ features }: ExportData): Set<string> {
  return new Set(features.map(({ name }) => name));
}

function absent(kind: string, name: string, path: string): ErrorDetail {
  if (name === '') return { message: `The ${kind} names no feature.`, path };
  return { message: `The ${kind} belongs to the feature "${truncate(name)}", which is not in the file.`, path };
}
