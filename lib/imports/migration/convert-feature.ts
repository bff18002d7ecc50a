import * as v from 'valibot';
import { invalid, requireValid, toDetail } from '../../errors.ts';
import { linksMax, parseLinkAddress, withScheme } from '../../features/change-links.ts';
import type { FeatureEnvironment } from '../../features/environments/feature-environment.ts';
import { featureVariants } from '../../features/environments/variant-schema.ts';
import { buildNewFeature, type Feature } from '../../features/feature.ts';
import {
  completion,
  dependency,
  featureDescription,
  featureType,
  lifecycle,
  type Stage,
} from '../../features/feature-schema.ts';
import { buildNewLife, enterStage, lifeOf } from '../../features/lifecycle/lifecycle.ts';
import { strategyInput } from '../../features/strategies/strategy-input-schema.ts';
import { type Strategy, strategiesMax } from '../../features/strategies/strategy-schema.ts';
import { tag, tagsMax } from '../../tags/tag-schema.ts';
import { boolean, integer, moment, name, nonEmptyText, object, text } from '../../values/primitives.ts';
import { convertPlan } from './convert-plan.ts';
import type { ServerMigration } from './plan.ts';
import { segmentIdsOf } from './project-kinds.ts';
import { ignoreInvalid, isWholePlan, joinMessages, time, withoutNulls } from './server-values.ts';
import type { SourceFeature } from './source-copy.ts';

const stage = object({
  stage: lifecycle.entries.stage,
  status: v.exactOptional(completion.entries.status),
  enteredStageAt: moment,
});

const sentFeature = object({
  name,
  type: v.optional(featureType, 'release'),
  description: v.exactOptional(featureDescription),
  stale: v.optional(boolean, false),
  impressionData: v.optional(boolean, false),
  createdAt: time,
  createdBy: ignoreInvalid(object({ id: integer, name: text })),
  archivedAt: time,
  lifecycle: ignoreInvalid(stage),
  stages: ignoreInvalid(v.array(stage)),
  tags: v.pipe(v.array(tag), v.maxLength(tagsMax, `A flag has at most ${tagsMax} tags.`)),
  dependencies: v.optional(v.array(dependency), () => []),
  links: v.optional(
    v.pipe(
      v.array(object({ id: ignoreInvalid(text), url: nonEmptyText, title: v.exactOptional(text) })),
      v.maxLength(linksMax, `A flag has at most ${linksMax} links.`),
    ),
    () => [],
  ),
  environments: v.optional(
    v.array(
      object({
        name,
        enabled: v.optional(boolean, false),
        lastSeenAt: time,
        variants: v.optional(featureVariants, () => []),
        strategies: v.optional(
          v.pipe(v.array(v.unknown()), v.maxLength(strategiesMax, `A flag has at most ${strategiesMax} strategies.`)),
          () => [],
        ),
        releasePlans: v.optional(v.array(v.unknown()), () => []),
      }),
    ),
    () => [],
  ),
});

/** A strategy with its id on the server. */
const sentStrategy = v.intersect([strategyInput, object({ id: nonEmptyText })]);

/**
 * Converts a flag of a server.
 * @param here the names of the strategy types and the ids of the release templates here.
 * @throws ApiError 400 with all properties that it cannot have here.
 */
export function convertFeature(
  { name: featureName, project, content }: SourceFeature,
  migration: ServerMigration,
  {
    strategyTypes: types,
    templates,
  }: { readonly strategyTypes: ReadonlySet<string>; readonly templates: ReadonlySet<string> },
): { readonly feature: Feature; readonly seen: ReadonlyMap<string, string> } {
  const output = requireValid(sentFeature, withoutNulls(content));
  const { createdAt, createdBy, archivedAt, environments, stages, links, ...own } = output;
  const at = createdAt ?? new Date(0).toISOString();
  const convertStrategies = (list: readonly unknown[]) =>
    list.map((strategy, index) => convertStrategy(strategy, index, featureName, migration, types));
  const states = environments.flatMap(
    ({ name: environment, enabled, variants, strategies, releasePlans: [sentPlan] }) => {
      const plan = isWholePlan(sentPlan)
        ? convertPlan(sentPlan, migration, { templates, convertStrategies })
        : undefined;
      const ofMilestones = new Set(plan?.milestones.flatMap((milestone) => milestone.strategies.map(({ id }) => id)));
      // Some answers also list the strategies of the active milestone.
      const own = convertStrategies(strategies).filter(({ id }) => !ofMilestones.has(id));
      const state: FeatureEnvironment = { enabled, variants, strategies: own, ...(plan && { plan }) };
      const isTouched = enabled || plan !== undefined || variants.length + own.length > 0;
      return isTouched ? [[environment, state] as const] : [];
    },
  );
  const invalidLink = links.find(({ url }) => parseLinkAddress(url) === undefined);
  if (invalidLink !== undefined) {
    throw invalid(`Its link "${invalidLink.url.slice(0, 100)}" is no address of http or https.`);
  }
  const { lifecycle: current, ...fields } = own;
  const feature = buildNewFeature({
    ...fields,
    project,
    description: fields.description ?? null,
    createdAt: at,
    createdBy: convertAuthor(createdBy, migration),
    archivedAt: archivedAt ?? null,
    links: links.map(({ id, url, title }, index) => ({
      id: id ?? String(index + 1),
      url: withScheme(url),
      title: title ?? null,
    })),
    environments: new Map(states),
    ...buildLife(stages ?? (current === undefined ? [] : [current]), at, archivedAt ?? undefined),
  });
  const seen = environments.flatMap(({ name: environment, lastSeenAt }) =>
    lastSeenAt ? [[environment, lastSeenAt] as const] : [],
  );
  return { feature, seen: new Map(seen) };
}

function convertStrategy(
  sent: unknown,
  index: number,
  featureName: string,
  migration: ServerMigration,
  types: ReadonlySet<string>,
): Strategy {
  const { success, output, issues = [] } = v.safeParse(sentStrategy, sent);
  if (!success) throw invalid(`Its strategy ${index + 1}: ${joinMessages({ details: issues.map(toDetail) })}`);
  if (!types.has(output.name)) throw invalid(`Its strategy type "${output.name.slice(0, 100)}" is not imported.`);
  return {
    id: output.id,
    name: output.name,
    title: output.title ?? null,
    disabled: output.disabled ?? false,
    featureName,
    sortOrder: output.sortOrder ?? index,
    segments: segmentIdsOf(migration, [...new Set(output.segments)]),
    constraints: output.constraints ?? [],
    // Unchanged, since other weights or another order would give users other variants.
    variants: output.variants ?? [],
    parameters: output.parameters ?? {},
  };
}

/** Returns an author with their id here. A deleted author keeps the id of the server, which nobody gets again. */
function convertAuthor(author: { id: number; name: string } | undefined, { target }: ServerMigration) {
  if (author === undefined) return { id: 0, name: '' };
  return { id: target.idOf('user', author.id) ?? author.id, name: author.name };
}

function buildLife(stages: readonly Stage[], createdAt: string, archivedAt: string | undefined) {
  const liveStages = stages.filter(({ stage }) => stage !== 'archived');
  const life = liveStages.length === 0 ? buildNewLife(createdAt) : lifeOf(liveStages);
  const archived = stages.find(({ stage }) => stage === 'archived') ?? { enteredStageAt: archivedAt ?? createdAt };
  return archivedAt === undefined
    ? life
    : enterStage(life, { stage: 'archived', enteredStageAt: archived.enteredStageAt });
}
