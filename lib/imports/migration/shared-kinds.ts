import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { banner, bannerInput } from '../../banners/banner-schema.ts';
import { banners, newBanner } from '../../banners/banners.ts';
import { contextFieldInputAnywhere } from '../../context-fields/context-field-schema.ts';
import { contextFields, newContextField } from '../../context-fields/context-fields.ts';
import { environmentInput } from '../../environments/environment-schema.ts';
import { environments, newEnvironment, sortOrderAfter } from '../../environments/environments.ts';
import { type ErrorDetail, invalid, requireValid } from '../../errors.ts';
import { systemUser } from '../../events/actor.ts';
import { listFeatureTypes, updateLifetime } from '../../features/types/feature-types.ts';
import { removeContextField } from '../../features/uses/context-field-uses.ts';
import { removeSegment } from '../../features/uses/segment-uses.ts';
import { removeTagType } from '../../features/uses/tag-uses.ts';
import { removeStrategyType } from '../../features/uses/uses.ts';
import { findAddonProblems, masked } from '../../integrations/addon-parameters.ts';
import type { Addon } from '../../integrations/addon-schema.ts';
import { addons } from '../../integrations/addons.ts';
import { projects } from '../../projects/projects.ts';
import { refreshProjects } from '../../provisioning/change-environments.ts';
import { completeEnvironmentDeletion } from '../../provisioning/delete-environment.ts';
import { buildNoRemovalCheck } from '../../provisioning/removal.ts';
import { assertFewSteps } from '../../segments/expression-limit.ts';
import { segmentUpdate } from '../../segments/segment-input-schema.ts';
import { buildSegmentContent, segments } from '../../segments/segments.ts';
import { loadFrontendSettings, setOrigins } from '../../settings/frontend-origins.ts';
import { strategyTypeInput } from '../../strategy-types/strategy-type-schema.ts';
import { newStrategyType, strategyTypes } from '../../strategy-types/strategy-types.ts';
import { newTag, tagTypeInput } from '../../tags/tag-schema.ts';
import { listKnownTags, newTagType, newTagWrites, tagCreatedEvent, tagTypes } from '../../tags/tags.ts';
import { applicationInput, applicationParams } from '../../usage/applications/application-schema.ts';
import { applicationEntity, emptyDescription } from '../../usage/applications/applications.ts';
import { isJsonObject, toList } from '../../values/json.ts';
import { boolean, count, nonEmptyText, object, record, text } from '../../values/primitives.ts';
import { entityKind } from './entity-kind.ts';
import { administrator } from './people-kinds.ts';
import { buildKind, buildRunStep, Decisions, type ServerKind, type ServerMigration } from './plan.ts';
import { ignoreInvalid, joinMessages, readName, time } from './server-values.ts';

/** @throws ApiError 400 for a project that is not here. */
export async function requireImported({ request, target }: ServerMigration, ids: readonly string[]): Promise<void> {
  const stored = target.withPlanned('project', await projects.findSomeVersioned(request, ids));
  const missing = ids.filter((id) => !stored.has(id));
  if (missing.length > 0) throw invalid(`There is no project "${missing.join('", "')}" here.`);
}

export const environmentKind = entityKind({
  entity: environments,
  list: 'environments',
  kept: 'named',
  schema: object({
    ...environmentInput.entries,
    enabled: ignoreInvalid(boolean),
    protected: ignoreInvalid(boolean),
    requiredApprovals: ignoreInvalid(count),
  }),
  make: ({ sortOrder = sortOrderAfter([]), enabled = true, protected: isProtected = false, ...entry }, { before }) =>
    newEnvironment({
      ...{ ...before, ...entry, sortOrder, enabled, protected: before?.protected ?? isProtected },
      requiredApprovals: entry.requiredApprovals || before?.requiredApprovals,
    }),
  buildExtraWrites: async (request, { name }, before) => {
    if (before !== undefined) return [];
    await completeEnvironmentDeletion(request, systemUser, name);
    return [buildNoRemovalCheck('environment', name)];
  },
  // Projects have copies of their environments.
  after: refreshProjects,
});

/** The tags of the list and those that only features have. */
const tagKind = buildKind('tags', async ({ request, source, target }) => {
  const stored = (await tagTypes.listVersioned(request)).map((type) => [type.value.name, type] as const);
  const types = target.withPlanned('tag type', stored);
  const storedTags = await Promise.all([...types.keys()].map((type) => listKnownTags(request, type)));
  const storedNames = new Set(storedTags.flat().map(tagName));
  const sentTags = new Map(source.lists.tags.map((tag) => [tagName(tag), tag]));
  for (const { content } of source.copy.features()) {
    for (const tag of toList(content.tags).filter(isJsonObject)) sentTags.set(tagName(tag), tag);
  }
  const decisions = new Decisions();
  const decidedNames = new Set<string>();
  for (const [sentName, sent] of sentTags) {
    await decisions.decide(sentName, () => {
      const tag = requireValid(newTag, sent);
      const name = tagName(tag);
      if (decidedNames.has(name)) return;
      decidedNames.add(name);
      if (!types.has(tag.type)) throw invalid(`There is no tag type "${tag.type}".`);
      if (storedNames.has(name)) decisions.unchanged.push(name);
      else
        decisions.steps.push({ name, outcome: 'created', writes: newTagWrites(tag), events: [tagCreatedEvent(tag)] });
    });
  }
  return decisions;
});

const tagName = ({ type, value }: { readonly type?: unknown; readonly value?: unknown }) => `${type}:${value}`;

const featureTypeKind = buildKind('lifetimes of flag types', async ({ request, source }) => {
  const stored = await listFeatureTypes(request);
  const decisions = new Decisions();
  for (const sent of source.lists.featureTypes) {
    const { success, output } = v.safeParse(object({ id: text, lifetimeDays: v.nullable(count) }), sent);
    const before = stored.find(({ id }) => success && id === output.id);
    if (!success || before === undefined) continue;
    const { id, lifetimeDays } = output;
    if ((lifetimeDays || null) === before.lifetimeDays) decisions.unchanged.push(id);
    else
      decisions.steps.push(
        buildRunStep((stepRequest) => updateLifetime(stepRequest, systemUser, id, lifetimeDays), id),
      );
  }
  return decisions;
});

const originKind = buildKind('sites that may use the frontend API', async ({ request, source: { uiConfig } }) => {
  const { success, output } = v.safeParse(v.array(text), uiConfig.frontendApiOrigins);
  if (!success || output.length === 0) return { steps: [] };
  const name = output.join(', ');
  const before = (await loadFrontendSettings(request)).frontendApiOrigins ?? ['*'];
  if (isDeepStrictEqual(before, output)) return { steps: [], unchanged: [name] };
  return { steps: [buildRunStep((stepRequest) => setOrigins(stepRequest, systemUser, output), name)] };
});

/** The kinds that features refer to. A kind refers only to kinds before it. */
export const kindsBeforeFeatures: readonly ServerKind[] = [
  entityKind({
    entity: tagTypes,
    list: 'tagTypes',
    remove: (request, name: string) => removeTagType(request, systemUser, name),
    schema: tagTypeInput,
    make: newTagType,
  }),

  tagKind,

  entityKind({
    entity: contextFields,
    list: 'contextFields',
    remove: (request, contextField: string) => removeContextField(request, systemUser, { contextField }),
    schema: object({ ...contextFieldInputAnywhere.entries, createdAt: time }),
    make: async ({ project, createdAt, ...entry }, { at, before, migration }) => {
      await requireImported(migration, typeof project === 'string' ? [project] : []);
      const field = newContextField(entry, before?.createdAt ?? createdAt ?? at);
      return { ...field, ...(typeof project === 'string' && { project }) };
    },
  }),

  entityKind({
    entity: strategyTypes,
    list: 'strategies',
    remove: (request, name: string) => removeStrategyType(request, systemUser, name),
    schema: object({ ...strategyTypeInput.entries, deprecated: v.optional(boolean, false) }),
    // Built-in types keep their own descriptions.
    make: ({ deprecated, ...entry }, { before }) =>
      before?.editable === false ? { ...before, deprecated } : { ...newStrategyType(entry), deprecated },
  }),

  entityKind({
    entity: segments,
    list: 'segments',
    remove: (request, id: number) => removeSegment(request, administrator, id),
    schema: object({
      ...segmentUpdate.entries,
      createdAt: time,
      createdBy: ignoreInvalid(text),
      constraints: v.optional(segmentUpdate.entries.constraints, () => []),
    }),
    make: async ({ createdAt, createdBy, ...entry }, { at, id, before, migration }) => {
      const content = buildSegmentContent(entry);
      assertFewSteps('a segment', before === undefined ? [] : [before], [content]);
      await requireImported(migration, content.project === null ? [] : [content.project]);
      return { id, createdAt: createdAt ?? at, createdBy: createdBy ?? systemUser.name, ...before, ...content };
    },
  }),

  featureTypeKind,
];

/** An addon of a server, which masks secrets. */
type SentAddon = Pick<Addon, 'provider' | 'parameters' | 'events' | 'enabled'> & { readonly description?: string };

const hasAllParameters = ({ parameters }: SentAddon) => !Object.values(parameters).includes(masked);

/** Merges the parameters that a server shows into those entered here. */
function mergeParameters({ parameters }: SentAddon, before: Addon | undefined): Addon['parameters'] {
  const shown = Object.entries(parameters).filter(([, value]) => value !== masked);
  return { ...before?.parameters, ...Object.fromEntries(shown) };
}

/** Lists the parameters that a server masks and nobody has entered here. */
function listMissing({ parameters }: SentAddon, before: Addon | undefined): string[] {
  const hidden = Object.entries(parameters).flatMap(([name, value]) => (value === masked ? name : []));
  return hidden.filter((name) => before?.parameters[name] === undefined);
}

/** Lists the mistakes for which the API would refuse an addon, except for missing parameters that the server masks. */
function listAddonMistakes(entry: SentAddon, before: Addon | undefined): readonly ErrorDetail[] {
  const { provider, events } = entry;
  const parameters = mergeParameters(entry, before);
  // An enabled addon was accepted before. This command may not know the hosts that the service permits.
  if (
    before?.enabled &&
    isDeepStrictEqual([before.provider, before.parameters, before.events], [provider, parameters, events])
  ) {
    return [];
  }
  const missing = listMissing(entry, before).map((name) => `parameters.${name}`);
  const problems = findAddonProblems(entry, before?.parameters);
  return problems.filter(({ path }) => path === undefined || !missing.includes(path));
}

/** The kinds that no feature refers to, in any order. */
export const kindsAfterFeatures: readonly ServerKind[] = [
  entityKind({
    title: 'integrations',
    entity: addons,
    list: 'addons',
    schema: object({
      provider: nonEmptyText,
      enabled: boolean,
      description: v.exactOptional(text),
      parameters: v.optional(record(v.unknown()), () => ({})),
      events: v.array(nonEmptyText),
      projects: v.optional(v.array(nonEmptyText), () => []),
      environments: v.optional(v.array(nonEmptyText), () => []),
      createdAt: time,
    }),
    nameOf: ({ provider, description }) =>
      [provider, description].filter((text) => typeof text === 'string' && text !== '').join(': '),
    find: (entry, stored) =>
      [...stored.values()].find(
        ({ value: { provider, createdAt, description } }) =>
          provider === entry.provider &&
          (entry.createdAt ? createdAt === entry.createdAt : description === (entry.description ?? null)),
      ),
    // A parameter that the server masks keeps the value entered here. An addon that the API would refuse is off.
    make: ({ createdAt, ...entry }, { at, id, before }) => {
      const enabled =
        listAddonMistakes(entry, before).length === 0 && (hasAllParameters(entry) ? entry.enabled : !!before?.enabled);
      return {
        ...{ id, createdAt: createdAt ?? at },
        ...before,
        ...entry,
        description: entry.description ?? null,
        enabled,
        parameters: mergeParameters(entry, before),
        ...(enabled && !before?.enabled && { enabledAt: at }),
      };
    },
    remarkOf: (entry, before) => {
      const missing = listMissing(entry, before);
      const mistakes = entry.enabled || before?.enabled ? listAddonMistakes(entry, before) : [];
      const reasons = [
        ...(missing.length > 0 ? [`you enter ${missing.join(', ')}, which the server does not show`] : []),
        ...(mistakes.length > 0 ? [`you correct it: ${joinMessages({ details: mistakes })}`] : []),
      ];
      return reasons.length === 0 ? undefined : `it is off until ${reasons.join(', and ')}`;
    },
  }),

  // Only the descriptions that people wrote. SDKs report everything else.
  entityKind({
    entity: applicationEntity,
    list: 'applications',
    kept: 'unnamed',
    from: ({ lists }) =>
      lists.applications.filter(({ description, url, color, icon }) => description || url || color || icon),
    schema: object({
      ...v.omit(applicationInput, ['strategies']).entries,
      ...applicationParams.entries,
      createdAt: time,
    }),
    nameOf: readName('appName'),
    make: ({ createdAt, ...entry }, { at, before }) => {
      const { expiresAtSeconds: _end, ...kept } = { ...emptyDescription, createdAt: createdAt ?? at, ...before };
      return { ...kept, ...entry };
    },
  }),

  entityKind({
    entity: banners,
    list: 'banners',
    schema: object({ ...bannerInput.entries, createdAt: time, state: ignoreInvalid(banner.entries.state) }),
    nameOf: readName('message'),
    find: ({ createdAt, message }, stored) =>
      [...stored.values()].find(({ value }) => (createdAt ? value.createdAt === createdAt : value.message === message)),
    // In replies of Flagstaff, `enabled` says whether a banner is shown now; its `state` says whether it is off.
    make: ({ createdAt, state, ...entry }, { at, id, before }) =>
      newBanner(
        { ...entry, enabled: state === undefined ? entry.enabled : state !== 'off' },
        id,
        before?.createdAt ?? createdAt ?? at,
      ),
  }),

  originKind,
];
