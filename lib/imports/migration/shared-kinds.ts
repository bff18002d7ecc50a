import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { banner, bannerInput } from '../../banners/banner-schema.ts';
import { banners, newBanner } from '../../banners/banners.ts';
import { contextFieldInputAnywhere } from '../../context-fields/context-field-schema.ts';
import { contextFields, newContextField } from '../../context-fields/context-fields.ts';
import { environmentInput } from '../../environments/environment-schema.ts';
import { environments, newEnvironment, sortOrderAfter } from '../../environments/environments.ts';
import { invalid, toDetail } from '../../errors.ts';
import { systemUser } from '../../events/actor.ts';
import { listFeatureTypes, updateLifetime } from '../../features/types/feature-types.ts';
import { removeContextField } from '../../features/uses/context-field-uses.ts';
import { removeSegment } from '../../features/uses/segment-uses.ts';
import { removeStrategyType } from '../../features/uses/strategy-type-uses.ts';
import { removeTagType } from '../../features/uses/tag-uses.ts';
import { masked } from '../../integrations/addon-parameters.ts';
import { addons } from '../../integrations/addons.ts';
import { projects } from '../../projects/projects.ts';
import { refreshProjects } from '../../provisioning/change-environments.ts';
import { completeEnvironmentDeletion } from '../../provisioning/delete-environment.ts';
import { notInRemoval } from '../../provisioning/removal.ts';
import { assertFewSteps } from '../../segments/expression-limit.ts';
import { segmentUpdate } from '../../segments/segment-input-schema.ts';
import { buildSegmentContent, segments } from '../../segments/segments.ts';
import { loadOrigins, setOrigins } from '../../settings/frontend-origins.ts';
import { strategyTypeInput } from '../../strategy-types/strategy-type-schema.ts';
import { newStrategyType, strategyTypes } from '../../strategy-types/strategy-types.ts';
import { newTag, tagTypeInput } from '../../tags/tag-schema.ts';
import { listKnownTags, newTagType, newTagWrites, tagCreatedEvent, tagTypes } from '../../tags/tags.ts';
import { applicationInput, applicationParams } from '../../usage/applications/application-schema.ts';
import { applicationEntity, nothingSaid } from '../../usage/applications/applications.ts';
import { isJsonObject, toList } from '../../values/json.ts';
import { boolean, count, nonEmptyText, object, record, text } from '../../values/primitives.ts';
import { entityKind } from './entity-kind.ts';
import { administrator } from './people-kinds.ts';
import {
  kindAtOnce,
  lenient,
  nameUnder,
  nullsMissing,
  refusalWords,
  type ServerMigration,
  stepBy,
  time,
} from './plan.ts';

/** @throws ApiError 400 where a project has not come over. */
export async function requireMoved({ request, world }: ServerMigration, ids: readonly string[]): Promise<void> {
  const found = world.withPlanned('project', await projects.someVersioned(request, ids));
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length > 0) throw invalid(`There is no project "${missing.join('", "')}" here.`);
}

export const environmentKind = entityKind({
  title: 'environments',
  entity: environments,
  from: ({ lists }) => lists.environments,
  gone: { list: 'environments' },
  schema: object({
    ...environmentInput.entries,
    enabled: lenient(boolean),
    protected: lenient(boolean),
    requiredApprovals: lenient(count),
  }),
  find: ({ name }, all) => all.get(name),
  make: ({ sortOrder = sortOrderAfter([]), enabled = true, protected: isProtected = false, ...entry }, { before }) =>
    newEnvironment({
      ...{ ...before, ...entry, sortOrder, enabled, protected: before?.protected ?? isProtected },
      requiredApprovals: entry.requiredApprovals || before?.requiredApprovals,
    }),
  besides: async (request, { name }, before) => {
    if (before !== undefined) return [];
    await completeEnvironmentDeletion(request, systemUser, name);
    return [notInRemoval('environment', name)];
  },
  // Projects have copies of what has changed.
  after: refreshProjects,
});

export const tagTypeKind = entityKind({
  title: 'tag types',
  entity: tagTypes,
  from: ({ lists }) => lists.tagTypes,
  gone: { list: 'tagTypes', remove: (request, name: string) => removeTagType(request, systemUser, name) },
  schema: tagTypeInput,
  find: ({ name }, all) => all.get(name),
  make: newTagType,
});

export const contextFieldKind = entityKind({
  title: 'context fields',
  entity: contextFields,
  from: ({ lists }) => lists.contextFields,
  gone: {
    list: 'contextFields',
    remove: (request, contextField: string) => removeContextField(request, systemUser, { contextField }),
  },
  schema: object({ ...contextFieldInputAnywhere.entries, createdAt: time }),
  find: ({ name }, all) => all.get(name),
  make: async ({ project, createdAt, ...entry }, { at, before, migration }) => {
    await requireMoved(migration, typeof project === 'string' ? [project] : []);
    const field = newContextField(entry, before?.createdAt ?? createdAt ?? at);
    return { ...field, ...(typeof project === 'string' && { project }) };
  },
});

export const strategyTypeKind = entityKind({
  title: 'strategy types',
  entity: strategyTypes,
  from: ({ lists }) => lists.strategies,
  gone: { list: 'strategies', remove: (request, name: string) => removeStrategyType(request, systemUser, name) },
  schema: nullsMissing(object({ ...strategyTypeInput.entries, deprecated: v.optional(boolean, false) })),
  find: ({ name }, all) => all.get(name),
  // Those that come with the service keep their own words.
  make: ({ deprecated, ...entry }, { before }) =>
    before?.editable === false ? { ...before, deprecated } : { ...newStrategyType(entry), deprecated },
});

export const segmentKind = entityKind({
  title: 'segments',
  entity: segments,
  numbered: 'segment',
  from: ({ lists }) => lists.segments,
  gone: { list: 'segments', remove: (request, id: number) => removeSegment(request, administrator, id) },
  schema: nullsMissing(
    object({
      ...segmentUpdate.entries,
      createdAt: time,
      createdBy: lenient(text),
      constraints: v.optional(segmentUpdate.entries.constraints, () => []),
    }),
  ),
  find: ({ name }, all) => [...all.values()].find(({ value }) => value.name === name),
  make: async ({ createdAt, createdBy, ...entry }, { at, id, before, migration }) => {
    const content = buildSegmentContent(entry);
    assertFewSteps('a segment', before === undefined ? [] : [before], [content]);
    await requireMoved(migration, content.project === null ? [] : [content.project]);
    return { id, createdAt: createdAt ?? at, createdBy: createdBy ?? systemUser.name, ...before, ...content };
  },
});

export const tagKind = kindAtOnce('tags', async ({ request, source, world }) => {
  const found = new Set(source.lists.tags.map((tag) => JSON.stringify(tag)));
  for (const { content } of source.copy.features()) {
    for (const tag of toList(content.tags).filter(isJsonObject)) found.add(JSON.stringify(tag));
  }
  const sent = [...found].map((tag) => v.safeParse(newTag, JSON.parse(tag)));
  const tags = new Map(sent.flatMap(({ success, output }) => (success ? [[tagName(output), output] as const] : [])));
  const bad = sent.flatMap(({ success, output, issues }) =>
    success
      ? []
      : [
          {
            name: isJsonObject(output) ? tagName(output) : 'a tag',
            reason: refusalWords({ details: issues.map(toDetail) }),
          },
        ],
  );
  const types = world.withPlanned(
    'tag type',
    (await tagTypes.listVersioned(request)).map((each) => [each.value.name, each]),
  );
  const known = await Promise.all([...types.keys()].map((type) => listKnownTags(request, type)));
  const names = new Set(known.flat().map(tagName));
  const all = [...tags];
  const unknown = all.filter(([, { type }]) => !types.has(type));
  const missing = all.filter(([name, { type }]) => !names.has(name) && types.has(type));
  return {
    steps: missing.map(([name, tag]) => ({
      ...{ name, outcome: 'created', writes: newTagWrites(tag), events: [tagCreatedEvent(tag)] },
    })),
    left: all.flatMap(([name]) => (names.has(name) ? [name] : [])),
    refused: [...bad, ...unknown.map(([name, { type }]) => ({ name, reason: `There is no tag type "${type}".` }))],
  };
});

const tagName = ({ type, value }: { readonly type?: unknown; readonly value?: unknown }) => `${type}:${value}`;

export const featureTypeKind = kindAtOnce('lifetimes of flag types', async ({ request, source }) => {
  const here = await listFeatureTypes(request);
  const sent = source.lists.featureTypes.flatMap((type) => {
    const { success, output } = v.safeParse(object({ id: text, lifetimeDays: v.nullable(count) }), type);
    const own = here.find(({ id }) => success && id === output.id);
    return success && own !== undefined ? [{ ...output, own }] : [];
  });
  const isSame = ({ lifetimeDays, own }: (typeof sent)[number]) => (lifetimeDays || null) === own.lifetimeDays;
  return {
    steps: sent
      .filter((type) => !isSame(type))
      .map(({ id, lifetimeDays }) => stepBy((ours) => updateLifetime(ours, systemUser, id, lifetimeDays), id)),
    left: sent.filter(isSame).map(({ id }) => id),
  };
});

/** Identifies addons, which have no names. */
const addonKey = ({
  provider,
  createdAt,
}: {
  readonly provider: string;
  readonly createdAt?: string | null | undefined;
}) => `${provider} ${createdAt}`;

export const addonKind = entityKind({
  title: 'integrations',
  entity: addons,
  from: ({ lists }) => lists.addons,
  gone: { list: 'addons', remove: (request, id: number) => addons.remove(request, systemUser, id) },
  schema: nullsMissing(
    object({
      provider: nonEmptyText,
      enabled: boolean,
      description: v.exactOptional(text),
      parameters: v.optional(record(v.unknown()), () => ({})),
      events: v.array(nonEmptyText),
      projects: v.optional(v.array(nonEmptyText), () => []),
      environments: v.optional(v.array(nonEmptyText), () => []),
      createdAt: time,
    }),
  ),
  nameOf: (addon) =>
    [addon.provider, addon.description].filter((each) => typeof each === 'string' && each !== '').join(': '),
  find: (entry, all) =>
    [...all.values()].find(({ value }) =>
      entry.createdAt ? addonKey(value) === addonKey(entry) : value.description === (entry.description ?? null),
    ),
  // What is masked there was entered here, and switched on when it was.
  make: ({ parameters, createdAt, ...entry }, { at, id, before }) => {
    const shownOnes = Object.entries(parameters).filter(([, value]) => value !== masked);
    const isWhole = shownOnes.length === Object.keys(parameters).length;
    const enabled = isWhole ? entry.enabled : (before?.enabled ?? false);
    return {
      ...{ id, createdAt: createdAt ?? at },
      ...before,
      ...entry,
      description: entry.description ?? null,
      enabled,
      parameters: { ...before?.parameters, ...Object.fromEntries(shownOnes) },
      ...(enabled && !before?.enabled && { enabledAt: at }),
    };
  },
  remarkOf: ({ parameters }, before) => {
    const hidden = Object.entries(parameters).flatMap(([name, value]) => (value === masked ? name : []));
    const open = hidden.filter((name) => before?.parameters[name] === undefined);
    return open.length === 0
      ? undefined
      : `it is off until you enter ${open.join(', ')}, which the server does not show`;
  },
});

/** Descriptions of applications by people: the rest comes with the reports of their SDKs. */
export const applicationKind = entityKind({
  title: 'applications',
  entity: applicationEntity,
  from: ({ lists }) =>
    lists.applications.filter(({ description, url, color, icon }) => description || url || color || icon),
  schema: nullsMissing(
    object({ ...v.omit(applicationInput, ['strategies']).entries, ...applicationParams.entries, createdAt: time }),
  ),
  nameOf: nameUnder('appName'),
  find: ({ appName }, all) => all.get(appName),
  make: ({ createdAt, ...entry }, { at, before }) => {
    const { expiresAtSeconds: _end, ...kept } = { ...nothingSaid, createdAt: createdAt ?? at, ...before };
    return { ...kept, ...entry };
  },
});

export const bannerKind = entityKind({
  title: 'banners',
  entity: banners,
  from: ({ lists }) => lists.banners,
  gone: { list: 'banners', remove: (request, id: number) => banners.remove(request, systemUser, id) },
  schema: nullsMissing(object({ ...bannerInput.entries, createdAt: time, state: lenient(banner.entries.state) })),
  nameOf: nameUnder('message'),
  find: ({ createdAt, message }, all) =>
    [...all.values()].find(({ value }) => (createdAt ? value.createdAt === createdAt : value.message === message)),
  // One of our own servers calls those enabled that are shown now.
  make: ({ createdAt, state, ...entry }, { at, id, before }) =>
    newBanner(
      { ...entry, enabled: state === undefined ? entry.enabled : state !== 'off' },
      id,
      before?.createdAt ?? createdAt ?? at,
    ),
});

export const originKind = kindAtOnce(
  'sites that may use the frontend API',
  async ({ request, source: { uiConfig } }) => {
    const { success, output } = v.safeParse(v.array(text), uiConfig.frontendApiOrigins);
    if (!success || output.length === 0) return { steps: [] };
    const name = output.join(', ');
    const here = (await loadOrigins(request)) ?? ['*'];
    if (isDeepStrictEqual(here, output)) return { steps: [], left: [name] };
    return { steps: [stepBy((ours) => setOrigins(ours, systemUser, output), name)] };
  },
);
