import * as v from 'valibot';
import { invalid, requireValid, toDetail } from '../../errors.ts';
import { linksMax, parseLinkAddress, withScheme } from '../../features/change-links.ts';
import { featureVariants } from '../../features/environments/variant-schema.ts';
import { buildNewFeature, type Feature, type FeatureEnvironment } from '../../features/feature.ts';
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
import { joinMessages, lenient, type ServerMigration, time, withoutNulls } from './plan.ts';
import { segmentIdsOf } from './project-kinds.ts';
import type { SourceFeature } from './source-copy.ts';

const stage = object({
  stage: lifecycle.entries.stage,
  status: v.exactOptional(completion.entries.status),
  enteredStageAt: moment,
});

const moved = object({
  name,
  type: v.optional(featureType, 'release'),
  description: v.exactOptional(featureDescription),
  stale: v.optional(boolean, false),
  impressionData: v.optional(boolean, false),
  createdAt: time,
  createdBy: lenient(object({ id: integer, name: text })),
  archivedAt: time,
  lifecycle: lenient(stage),
  stages: lenient(v.array(stage)),
  tags: v.pipe(v.array(tag), v.maxLength(tagsMax, `A flag has at most ${tagsMax} tags.`)),
  dependencies: v.optional(v.array(dependency), () => []),
  links: v.optional(
    v.pipe(
      v.array(object({ id: lenient(text), url: nonEmptyText, title: v.exactOptional(text) })),
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
      }),
    ),
    () => [],
  ),
});

/** Strategy with the id that it has on the server. */
const movedStrategy = v.intersect([strategyInput, object({ id: nonEmptyText })]);

/**
 * Returns a flag of a server as it is to be here.
 * @param types names of the strategy types that are here.
 * @throws ApiError 400 with everything that it cannot have here.
 */
export function convertFeature(
  { name: featureName, project, content }: SourceFeature,
  migration: ServerMigration,
  types: ReadonlySet<string>,
): { readonly feature: Feature; readonly seen: ReadonlyMap<string, string> } {
  const output = requireValid(moved, withoutNulls(content));
  const { createdAt, createdBy, archivedAt, environments, stages, links, ...own } = output;
  const at = createdAt ?? new Date(0).toISOString();
  const states = environments.flatMap(({ name: environment, enabled, variants, strategies }) => {
    const list = strategies.map((each, index) => strategyHere(each, index, featureName, migration, types));
    const isTouched = enabled || variants.length + list.length > 0;
    return isTouched
      ? [[environment, { enabled, variants, strategies: list } satisfies FeatureEnvironment] as const]
      : [];
  });
  const bad = links.find(({ url }) => parseLinkAddress(url) === undefined);
  if (bad !== undefined) throw invalid(`Its link "${bad.url.slice(0, 100)}" is no address of http or https.`);
  const { lifecycle: current, ...fields } = own;
  const feature = buildNewFeature({
    ...fields,
    project,
    description: fields.description ?? null,
    createdAt: at,
    createdBy: authorHere(createdBy, migration),
    archivedAt: archivedAt ?? null,
    links: links.map(({ id, url, title }, index) => ({
      id: id ?? String(index + 1),
      url: withScheme(url),
      title: title ?? null,
    })),
    environments: new Map(states),
    ...lifeIn(stages ?? (current === undefined ? [] : [current]), at, archivedAt ?? undefined),
  });
  const seen = environments.flatMap(({ name: environment, lastSeenAt }) =>
    lastSeenAt ? [[environment, lastSeenAt] as const] : [],
  );
  return { feature, seen: new Map(seen) };
}

function strategyHere(
  sent: unknown,
  index: number,
  featureName: string,
  migration: ServerMigration,
  types: ReadonlySet<string>,
): Strategy {
  const { success, output, issues = [] } = v.safeParse(movedStrategy, sent);
  if (!success) throw invalid(`Its strategy ${index + 1}: ${joinMessages({ details: issues.map(toDetail) })}`);
  if (!types.has(output.name)) throw invalid(`Its strategy type "${output.name.slice(0, 100)}" does not come over.`);
  return {
    id: output.id,
    name: output.name,
    title: output.title ?? null,
    disabled: output.disabled ?? false,
    featureName,
    sortOrder: output.sortOrder ?? index,
    segments: segmentIdsOf(migration, [...new Set(output.segments)]),
    constraints: output.constraints ?? [],
    // As they are: another order of the weights would give users other variants.
    variants: output.variants ?? [],
    parameters: output.parameters ?? {},
  };
}

/** Returns an author under the id that they have here; one who is gone keeps the id, which nobody gets again. */
function authorHere(author: { id: number; name: string } | undefined, { target }: ServerMigration) {
  if (author === undefined) return { id: 0, name: '' };
  return { id: target.idOf('user', author.id) ?? author.id, name: author.name };
}

function lifeIn(stages: readonly Stage[], createdAt: string, archivedAt: string | undefined) {
  const own = stages.filter(({ stage: each }) => each !== 'archived');
  const life = own.length === 0 ? buildNewLife(createdAt) : lifeOf(own);
  const archived = stages.find(({ stage: each }) => each === 'archived') ?? { enteredStageAt: archivedAt ?? createdAt };
  return archivedAt === undefined
    ? life
    : enterStage(life, { stage: 'archived', enteredStageAt: archived.enteredStageAt });
}
