import { builtInPermissionsOf } from '../../lib/identity/permissions.ts';
import type { Item } from '../harness/items.ts';

/** Kinds of things, each by the key of its item. */
export const isProject = ({ pk, sk }: Item) => pk.startsWith('PROJECT#') && sk === 'PROJECT';
export const isDefaultStrategy = ({ sk }: Item) => sk.startsWith('DEFAULT_STRATEGY#');
export const isUser = ({ pk, sk }: Item) => pk === 'ACCESS' && sk.startsWith('USER#');
export const isServiceAccountItem = ({ pk, sk }: Item) => pk === 'ACCESS' && sk.startsWith('SERVICE#');
export const isGroup = ({ pk, sk }: Item) => pk === 'ACCESS' && sk.startsWith('GROUP#');
const isFeature = ({ pk, sk, deleted }: Item) => pk.startsWith('FEATURE#') && sk === 'FEATURE' && deleted !== true;
const isTag = ({ pk }: Item) => pk.startsWith('TAGS#');
const isSegment = ({ pk, sk }: Item) => pk === 'SEGMENTS' && sk.startsWith('ID#');
const isReleaseTemplate = ({ pk, sk }: Item) => pk === 'RELEASE_TEMPLATES' && sk.startsWith('ID#');
const isRole = ({ pk, sk }: Item) => pk === 'ROLES' && sk.startsWith('ID#');
const isToken = ({ pk }: Item) => pk.startsWith('TOKENS#');

/** Things that others name and that can be deleted: under the name of their key, the ids of those that are there. */
const present = {
  project: (items) => [
    ...items.filter(isProject).map(({ id }) => String(id)),
    // Parts of a project or an environment that is being deleted may still wait to be removed.
    ...sortKeysIn(items, 'REMOVAL#project'),
  ],
  environment: (items) => [
    ...items
      .filter(({ pk, sk }) => pk === 'ENVIRONMENTS' && sk.startsWith('ENVIRONMENT#'))
      .map(({ name }) => String(name)),
    ...sortKeysIn(items, 'REMOVAL#environment'),
  ],
  tagType: (items) => sortKeysIn(items, 'TAG_TYPES'),
  tag: (items) => items.filter(isTag).map(({ pk, sk }) => `${pk.slice('TAGS#'.length)}:${sk}`),
  strategyType: (items) => sortKeysIn(items, 'STRATEGY_TYPES'),
  segment: (items) => items.filter(isSegment).map(({ id }) => String(id)),
  role: (items) => items.filter(isRole).map(({ id }) => String(id)),
  group: (items) => items.filter(isGroup).map(({ id }) => String(id)),
  user: (items) => items.filter(isUser).map(({ id }) => String(id)),
  serviceAccount: (items) => items.filter(isServiceAccountItem).map(({ id }) => String(id)),
  account: (items) => [...items.filter(isUser), ...items.filter(isServiceAccountItem)].map(({ id }) => String(id)),
  feature: (items) => items.filter(isFeature).map(({ name }) => String(name)),
} satisfies Record<string, (items: readonly Item[]) => string[]>;

export type NamedKind = keyof typeof present;

/** Something that names others, all of which are there as long as it does so. */
export interface Naming {
  /** Description of the things that name them. */
  readonly by: string;
  readonly to: NamedKind;
  /** True where an archived feature may name what is gone: it is revived without it. */
  readonly whileLive?: true;
  /** The files of `lib` in which a transaction checks that they are there. */
  readonly checkedIn?: readonly string[];
  readonly idsIn: (item: Item) => readonly unknown[];
}

const ofStrategies = ['lib/features/strategies/strategy-references.ts'];

/** All that one thing can name of another which can be deleted. */
export const namings: readonly Naming[] = [
  { by: 'a feature', to: 'project', idsIn: when(isFeature, ({ project }) => [project]) },
  {
    by: 'a feature',
    to: 'feature',
    idsIn: when(isFeature, (item) =>
      parsed<{ readonly feature: string }>(item.dependencies).map(({ feature }) => feature),
    ),
  },
  {
    by: 'a feature',
    to: 'tag',
    whileLive: true,
    idsIn: when(isFeature, (item) => tagsOf(item).map((tag) => `${tag.type}:${tag.value}`)),
  },
  {
    by: 'a feature',
    to: 'tagType',
    whileLive: true,
    checkedIn: ['lib/tags/tags.ts'],
    idsIn: when(isFeature, (item) => tagsOf(item).map(({ type }) => type)),
  },
  {
    by: 'a tag',
    to: 'tagType',
    checkedIn: ['lib/tags/tags.ts'],
    idsIn: when(isTag, ({ pk }) => [pk.slice('TAGS#'.length)]),
  },
  {
    by: 'a feature that does something',
    to: 'environment',
    idsIn: when(isFeature, ({ environments }) =>
      parsed<[string, Summary]>(environments).flatMap(([name, { enabled, strategies, variants }]) =>
        enabled || strategies + variants > 0 ? [name] : [],
      ),
    ),
  },
  {
    by: 'a strategy',
    to: 'strategyType',
    whileLive: true,
    checkedIn: ofStrategies,
    idsIn: (item) => strategiesIn(item).map(({ name }) => name),
  },
  {
    by: 'a strategy',
    to: 'segment',
    whileLive: true,
    checkedIn: ofStrategies,
    idsIn: (item) => strategiesIn(item).flatMap(({ segments = [] }) => segments),
  },
  {
    by: 'a milestone of a release plan',
    to: 'strategyType',
    whileLive: true,
    idsIn: (item) => strategiesOfPlan(item).map(({ name }) => name),
  },
  {
    by: 'a milestone of a release plan',
    to: 'segment',
    whileLive: true,
    idsIn: (item) => strategiesOfPlan(item).flatMap(({ segments = [] }) => segments),
  },
  {
    by: 'a default strategy',
    to: 'strategyType',
    checkedIn: ofStrategies,
    idsIn: when(isDefaultStrategy, (item) => [defaultStrategyIn(item).name]),
  },
  {
    by: 'a default strategy',
    to: 'segment',
    checkedIn: ofStrategies,
    idsIn: when(isDefaultStrategy, (item) => defaultStrategyIn(item).segments ?? []),
  },
  {
    by: 'a default strategy',
    to: 'project',
    idsIn: when(isDefaultStrategy, ({ pk }) => [pk.slice('PROJECT#'.length)]),
  },
  {
    by: 'a release template',
    to: 'strategyType',
    checkedIn: ofStrategies,
    idsIn: when(isReleaseTemplate, (item) => strategiesOfTemplate(item).map(({ name }) => name)),
  },
  {
    by: 'a release template',
    to: 'segment',
    checkedIn: ofStrategies,
    idsIn: when(isReleaseTemplate, (item) => strategiesOfTemplate(item).flatMap(({ segments = [] }) => segments)),
  },
  {
    by: 'a release template',
    to: 'project',
    checkedIn: ['lib/release-plans/administer-templates.ts'],
    idsIn: when(isReleaseTemplate, ({ project }) => (typeof project === 'string' ? [project] : [])),
  },
  {
    by: 'a project',
    to: 'environment',
    checkedIn: ['lib/provisioning/add-environment.ts', 'lib/provisioning/clone-environment.ts'],
    idsIn: when(isProject, (item) => parsed<{ readonly name: string }>(item.environments).map(({ name }) => name)),
  },
  {
    by: 'a segment',
    to: 'project',
    checkedIn: ['lib/segments/administer-segments.ts'],
    idsIn: when(isSegment, ({ project }) => (typeof project === 'string' ? [project] : [])),
  },
  {
    by: 'a context field',
    to: 'project',
    checkedIn: ['lib/context-fields/context-fields.ts', 'lib/imports/import-references.ts'],
    idsIn: when(
      ({ pk }) => pk === 'CONTEXT_FIELDS',
      ({ project }) => (typeof project === 'string' ? [project] : []),
    ),
  },
  {
    by: 'a token of an SDK',
    to: 'environment',
    checkedIn: ['lib/tokens/api-tokens.ts'],
    idsIn: when(isToken, ({ environment }) => (environment === undefined ? [] : [environment])),
  },
  {
    by: 'a token of an SDK',
    to: 'project',
    checkedIn: ['lib/tokens/api-tokens.ts'],
    idsIn: when(isToken, ({ projects }) => parsed<string>(projects).filter((id) => id !== '*')),
  },
  {
    by: 'a personal token',
    to: 'account',
    idsIn: when(isToken, ({ userId }) => (userId === undefined ? [] : [userId])),
  },
  {
    by: 'a role',
    to: 'environment',
    checkedIn: ['lib/people/roles/administer-roles.ts'],
    idsIn: when(isRole, ({ permissions }) =>
      parsed<{ readonly environment?: string }>(permissions).flatMap(({ environment }) => environment ?? []),
    ),
  },
  ...(
    [
      ['a user', isUser],
      ['a service account', isServiceAccountItem],
      ['a group', isGroup],
    ] as const
  ).flatMap(([by, isHolder]): Naming[] => [
    {
      by,
      to: 'role',
      checkedIn: ['lib/identity/roles.ts'],
      idsIn: when(isHolder, ({ rootRole = 0, ...item }) =>
        [Number(rootRole), ...rolesIn(item).flatMap(({ roles }) => roles)].filter(
          (id) => id > 0 && builtInPermissionsOf(id) === undefined,
        ),
      ),
    },
    {
      by,
      to: 'project',
      idsIn: when(isHolder, (item) => rolesIn(item).map(({ project }) => project)),
    },
  ]),
  // Rights follow from it. That a group names members who are gone means nothing: no other user gets their ids.
  { by: 'a user', to: 'group', idsIn: when(isUser, ({ groups }) => parsed(groups)) },
  { by: 'a service account', to: 'group', idsIn: when(isServiceAccountItem, ({ groups }) => parsed(groups)) },
];

/** Returns the names of the features that are archived. */
export function archivedIn(items: readonly Item[]): ReadonlySet<string> {
  return new Set(items.filter((item) => isFeature(item) && item.archivedAt !== null).map(({ name }) => String(name)));
}

/** Returns the ids of all things that can be named. */
export function idsIn(items: readonly Item[]): Readonly<Record<NamedKind, ReadonlySet<string>>> {
  const all = Object.entries(present).map(([kind, idsOf]) => [kind, new Set(idsOf(items))]);
  return Object.fromEntries(all);
}

/** Parses an attribute as JSON; empty if it is missing. */
export function parsed<T = unknown>(attribute: unknown): T[] {
  return attribute === undefined ? [] : JSON.parse(String(attribute));
}

interface Summary {
  readonly enabled: boolean;
  readonly strategies: number;
  readonly variants: number;
}
interface StoredStrategy {
  readonly name: string;
  readonly segments?: readonly number[];
}

function when(
  isMeant: (item: Item) => boolean,
  idsOf: (item: Item) => readonly unknown[],
): (item: Item) => readonly unknown[] {
  return (item) => (isMeant(item) ? idsOf(item) : []);
}

function tagsOf({ tags }: Item) {
  return parsed<{ readonly type: string; readonly value: string }>(tags);
}

function rolesIn({ projectRoles }: Item) {
  return parsed<{ readonly project: string; readonly roles: readonly number[] }>(projectRoles);
}

function strategiesIn({ pk, sk, strategies }: Item): StoredStrategy[] {
  return pk.startsWith('FEATURE#') && sk.startsWith('ENVIRONMENT#') ? parsed(strategies) : [];
}

function strategiesOfPlan({ pk, sk, plan }: Item): StoredStrategy[] {
  if (!pk.startsWith('FEATURE#') || !sk.startsWith('ENVIRONMENT#') || plan === undefined) return [];
  return strategiesOf(JSON.parse(String(plan)).milestones);
}

function strategiesOfTemplate({ milestones }: Item): StoredStrategy[] {
  return strategiesOf(parsed(milestones));
}

function strategiesOf(milestones: readonly { readonly strategies: readonly StoredStrategy[] }[]): StoredStrategy[] {
  return milestones.flatMap(({ strategies }) => strategies);
}

function defaultStrategyIn({ strategy }: Item): StoredStrategy {
  return JSON.parse(String(strategy));
}

function sortKeysIn(items: readonly Item[], partition: string): string[] {
  return items.filter(({ pk }) => pk === partition).map(({ sk }) => sk);
}
