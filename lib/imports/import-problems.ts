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
import { type DependencyFacts, listDependencyProblems } from './dependency-problems.ts';
import type { ExportData } from './import-data-schema.ts';
import type { ImportReferences } from './import-references.ts';
import { tagOf } from './wanted-feature.ts';

/** The facts that a file is checked against. */
export interface ImportFacts
  extends DependencyFacts,
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

type Check = (data: ExportData, facts: ImportFacts) => ErrorDetail[];

const checks: readonly Check[] = [
  listFeatureProblems,
  listStrategyProblems,
  listStateProblems,
  listTagProblems,
  listContextFieldProblems,
  listSegmentProblems,
  listDependencyProblems,
  listLinkProblems,
];

/** Lists everything that prevents the import of a file, in the order of its parts. Archived features are not checked. */
export function listImportProblems(file: ExportData, facts: ImportFacts): ErrorDetail[] {
  const { data, pathInFile } = withoutFeatures(file, facts.archived);
  return checks
    .flatMap((check) => check(data, facts))
    .map(({ path, ...problem }) => ({ ...problem, ...(path !== undefined && { path: pathInFile(path) }) }));
}

/** Returns a list with a problem, or an empty one. */
function problemIf(isProblem: boolean, message: string, path: string): ErrorDetail[] {
  return isProblem ? [{ message, path }] : [];
}

function listFeatureProblems({ features }: ExportData, { features: stored, project, counts }: ImportFacts) {
  const added = features.filter(({ name }) => isName(name) && !stored.has(name));
  const reasons = findMisnamed(
    project.featureNaming,
    added.map(({ name }) => name),
  );
  const countNames = (isArchived: boolean) =>
    new Set(added.filter(({ archived = false }) => archived === isArchived).map(({ name }) => name)).size;
  const nameProblems = features.flatMap(({ name }, index): ErrorDetail[] => {
    const path = `data.features.${index}.name`;
    if (!isName(name)) return [{ message: `"${truncate(name)}" cannot be the name of a feature. ${nameRule}`, path }];
    const existing = stored.get(name);
    const isElsewhere = existing !== undefined && existing.project !== project.id;
    if (isElsewhere) return [{ message: `The feature "${name}" exists in another project.`, path }];
    const reason = existing === undefined ? reasons.get(name) : undefined;
    return reason === undefined ? [] : [{ message: reason, path }];
  });
  const capacityProblems = listCapacityProblems(project, counts, {
    live: countNames(false),
    archived: countNames(true),
  });
  return [...listRepeatedFeatures(features), ...nameProblems, ...capacityProblems];
}

function listRepeatedFeatures(features: ExportData['features']): ErrorDetail[] {
  return findDuplicates(features.map(({ name }) => name)).map((name) => ({
    message: `The feature "${truncate(name)}" appears in the file more than once.`,
    path: 'data.features',
  }));
}

/** Builds the error for the problems of a file. As on Unleash, it is a 409 if repeated features are the only problem. */
export function buildRefusal(problems: readonly ErrorDetail[], { features }: ExportData): ApiError {
  const refusal = invalidRequest(problems);
  const repeated = new Set(listRepeatedFeatures(features).map(({ message }) => message));
  if (!problems.every(({ message }) => repeated.has(message))) return refusal;
  return new ApiError('NameExistsError', refusal.message, refusal.details);
}

function listStrategyProblems(data: ExportData, facts: ImportFacts): ErrorDetail[] {
  const names = namesIn(data);
  const segmentIds = new Set(data.segments.map(({ id }) => id));
  const legalValues = collectLegalValues(contextFieldsAfter(data, facts));
  return [
    ...listFullFeatures(data, facts),
    ...listCostlyFeatures(data, facts),
    ...data.featureStrategies.flatMap(({ name, featureName, segments = [], constraints = [] }, index) => {
      const path = `data.featureStrategies.${index}`;
      const unknownSegments = segments.filter((id) => !segmentIds.has(id));
      return [
        ...requireFeature(names, 'strategy', featureName, `${path}.featureName`),
        ...problemIf(!facts.strategyTypes.has(name), `There is no strategy type "${truncate(name)}".`, `${path}.name`),
        ...unknownSegments.map((id) => ({
          message: `The segment ${id} is not in the file.`,
          path: `${path}.segments`,
        })),
        ...findIllegalValues(constraints, legalValues, `${path}.constraints`),
      ];
    }),
  ];
}

/** Lists features with too many strategies. A feature that is on without an enabled strategy also gets the default one. */
function listFullFeatures(data: ExportData, { features, environment }: ImportFacts): ErrorDetail[] {
  const strategies = Map.groupBy(data.featureStrategies, ({ featureName }) => featureName);
  const states = new Map(data.featureEnvironments.map((state) => [featureOfState(state), state.enabled]));
  return [...strategies].flatMap(([name, list]) => {
    const stored = features.get(name)?.revision.summaries.get(environment);
    const isOn = states.get(name) ?? stored?.enabled ?? false;
    const amount = list.length + (isOn && list.every(({ disabled }) => disabled) ? 1 : 0);
    const message = `The feature "${truncate(name)}" would have ${amount} strategies, more than ${strategiesMax}.`;
    return problemIf(amount > strategiesMax, message, 'data.featureStrategies');
  });
}

/** Lists new features with costly expressions. Existing ones may keep theirs, and are checked with the stored feature. */
function listCostlyFeatures({ featureStrategies }: ExportData, { features }: ImportFacts): ErrorDetail[] {
  const added = featureStrategies.filter(({ featureName }) => !features.has(featureName));
  return [...Map.groupBy(added, ({ featureName }) => featureName)].flatMap(([name, strategies]) => {
    const steps = countExpressionSteps(strategies);
    const message = tooManyStepsMessage(`the feature "${truncate(name)}"`, steps);
    return problemIf(steps > expressionStepsMax, message, 'data.featureStrategies');
  });
}

/** Returns the context fields as they are after the import. */
function contextFieldsAfter(data: ExportData, { contextFields }: ImportFacts) {
  const inFile = data.contextFields.map(({ name, legalValues = [] }) => [name, { legalValues }] as const);
  return new Map<string, Pick<ContextField, 'legalValues'>>([...inFile, ...contextFields]);
}

function listStateProblems(data: ExportData): ErrorDetail[] {
  const names = namesIn(data);
  const owners = data.featureEnvironments.map(featureOfState);
  return [
    ...findDuplicates(owners).map((name) => ({
      message: `The feature "${truncate(name)}" has more than one state in the file.`,
      path: 'data.featureEnvironments',
    })),
    ...owners.flatMap((name, index) => requireFeature(names, 'state', name, `data.featureEnvironments.${index}`)),
  ];
}

function listLinkProblems(data: ExportData): ErrorDetail[] {
  const names = namesIn(data);
  const all = data.links ?? [];
  const owners = all.flatMap(({ feature, links }) => links.map(() => feature));
  return [
    ...listOverfull(owners, linksMax, 'links'),
    ...all.flatMap(({ feature, links }, index) => [
      ...requireFeature(names, 'link', feature, `data.links.${index}.feature`),
      ...links.flatMap(({ url }, linkIndex) =>
        problemIf(
          parseLinkAddress(url) === undefined,
          'An address of http or https is required.',
          `data.links.${index}.links.${linkIndex}.url`,
        ),
      ),
    ]),
  ];
}

function listTagProblems(data: ExportData, { tagTypes }: ImportFacts): ErrorDetail[] {
  const names = namesIn(data);
  const types = new Set(data.tagTypes.map(({ name }) => name));
  const tags = data.featureTags ?? [];
  return [
    ...listContradictions('tag type', data.tagTypes, 'data.tagTypes'),
    ...listOverfull(
      tags.map(({ featureName }) => featureName),
      tagsMax,
      'featureTags',
    ),
    ...tags.flatMap((tag, index) => {
      const { type } = tagOf(tag);
      const path = `data.featureTags.${index}`;
      return [
        ...requireFeature(names, 'tag', tag.featureName, `${path}.featureName`),
        ...problemIf(!types.has(type) && !tagTypes.has(type), `There is no tag type "${truncate(type)}".`, path),
      ];
    }),
  ];
}

/** Lists features with more tags or links than one may have. @param owners the feature of each tag or link. */
function listOverfull(owners: readonly string[], max: number, list: 'featureTags' | 'links'): ErrorDetail[] {
  const overfull = [...Map.groupBy(owners, (name) => name)].filter(([, { length }]) => length > max);
  return overfull.map(([name]) => ({
    message: `The feature "${truncate(name)}" has more than ${max} ${list === 'links' ? 'links' : 'tags'}.`,
    path: `data.${list}`,
  }));
}

/** Lists the problems of context fields. Constraints rely on the legal values of a field, so that a file does not add any. */
function listContextFieldProblems(
  { contextFields }: ExportData,
  { contextFields: stored, hiddenFields }: ImportFacts,
): ErrorDetail[] {
  const path = 'data.contextFields';
  const foreign = contextFields.flatMap(({ name }, index) =>
    problemIf(
      hiddenFields.has(name),
      `The context field "${name}" exists in another project.`,
      `${path}.${index}.name`,
    ),
  );
  const missing = contextFields.flatMap(({ name, legalValues = [] }, index) => {
    const existing = stored.get(name);
    const legal = new Set(existing?.legalValues.map(({ value }) => value));
    return legalValues.flatMap(({ value }) =>
      problemIf(
        existing !== undefined && !legal.has(value),
        `The context field "${name}" exists without the legal value "${truncate(value)}".`,
        `${path}.${index}.legalValues`,
      ),
    );
  });
  return [...listContradictions('context field', contextFields, path), ...foreign, ...missing];
}

function listSegmentProblems({ segments }: ExportData, { segments: stored, project }: ImportFacts): ErrorDetail[] {
  return segments.flatMap(({ name }, index) => {
    const path = `data.segments.${index}.name`;
    const segment = stored.get(name);
    if (segment === undefined) return [{ message: `There is no segment "${truncate(name)}".`, path }];
    const isForeign = (segment.project ?? project.id) !== project.id;
    return problemIf(isForeign, `The segment "${name}" belongs to another project.`, path);
  });
}

/** Lists things that a file describes more than once and differently. */
function listContradictions(kind: string, things: readonly { readonly name: string }[], path: string): ErrorDetail[] {
  const distinct = new Map(things.map((thing) => [JSON.stringify(thing), thing]));
  return findDuplicates([...distinct.values()].map(({ name }) => name)).map((name) => ({
    message: `The ${kind} "${truncate(name)}" appears in the file more than once, with different contents.`,
    path,
  }));
}

function namesIn({ features }: ExportData): Set<string> {
  return new Set(features.map(({ name }) => name));
}

/** Returns the problem of a thing whose feature is not in the file. */
function requireFeature(names: ReadonlySet<string>, kind: string, name: string, path: string): ErrorDetail[] {
  if (names.has(name)) return [];
  if (name === '') return [{ message: `The ${kind} names no feature.`, path }];
  return [{ message: `The ${kind} belongs to the feature "${truncate(name)}", which is not in the file.`, path }];
}
