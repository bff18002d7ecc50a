import * as entityKeys from '../entity/keys.ts';
import * as eventKeys from '../events/keys.ts';
import * as tokenKeys from '../identity/tokens/keys.ts';
import { kindOfItem, type Partition } from '../store/client/definition.ts';
import * as tagKeys from '../tags/keys.ts';
import type { WorkingCopy } from './working-copy.ts';

/*
 * The partitions that every round of a backup reads, in addition to features and their read models, because transactions write them
 * together with other partitions.
 */

/** The partitions that exist once per store. */
const singlePartitions = [
  ...[
    'ENTITIES',
    'STORE',
    'SETTINGS',
    'ADDONS',
    'REMOVAL#project',
    'REMOVAL#environment',
    'SEALS',
    'CHECKPOINTS',
    'UNKEPT_CHECKPOINTS',
  ],
  ...['PROJECTS', 'PRIVATE_PROJECTS', 'ENVIRONMENTS', 'SEGMENTS', 'STRATEGY_TYPES', 'CONTEXT_FIELDS', 'FEATURE_TYPES'],
  ...['TAG_TYPES', 'TAGS_MADE', 'RELEASE_TEMPLATES', 'PLAN_STEPS', 'GUARDED'],
  ...['SCHEDULES', 'EXPIRIES', 'ALARMS', 'PROPOSALS'],
  ...['ACCESS', 'ROLES', 'USERNAMES', 'USER_EMAILS', 'SIGN_IN_NAMES', 'GROUP_NAMES'],
  ...['SCIM_USERS', 'SCIM_GROUPS', 'SCIM_EXTERNAL_IDS', 'SCIM_GROUP_NAMES'],
];

const hourMs = 3_600_000;

/** The kinds of partitions that a backup reads in every round, or after a change of a checksum. @internal */
export const kindsReadEachRound: ReadonlySet<string> = new Set([
  ...singlePartitions.map((pk) => kindOfItem({ pk })),
  ...['FEATURE', 'PROJECT', 'CHANGE_REQUEST', 'TAGS', 'REFERRERS', 'TOKENS', 'EVENTS', 'SEAL'],
]);

/** Lists the partitions that every store has, and those of events since the backup began. */
export function listSharedPartitions(): Partition[] {
  const months = [Date.now() - 24 * hourMs, Date.now()].map((at) => new Date(at).toISOString().slice(0, 7));
  return [
    ...singlePartitions.map((pk) => ({ pk })),
    ...tokenKeys.tokens(),
    ...[...new Set(months)].map((month) => eventKeys.serviceEventsIn(month)),
  ];
}

/** Lists the partitions of projects, references and tags: those in the copy, and those of new things in the copy. */
export function listNamedPartitions(copy: WorkingCopy): Partition[] {
  const requestsOf = (id: string) => `PROJECT#${id}#CHANGE_REQUESTS`;
  const ids = copy.sortKeysOf('PROJECTS');
  const projects = ids.flatMap((id) => [`PROJECT#${id}`, `PROJECT#${id}#ARCHIVE`, requestsOf(id)]);
  const requests = ids.flatMap((id) =>
    ['OPEN#', 'CLOSED#'].flatMap((state) =>
      copy.sortKeysOf(requestsOf(id), state).map((sk) => `CHANGE_REQUEST#${sk.slice(state.length)}`),
    ),
  );
  const idsOf = (pk: string) => copy.sortKeysOf(pk, 'ID#').map((sk) => String(Number(sk.slice('ID#'.length))));
  const names = [
    ...copy.partitionsOf('PROJECT#').filter((pk) => !pk.endsWith('#FEATURES')),
    ...projects,
    ...requests,
    ...copy.partitionsOf('TAGS#'),
    ...copy.sortKeysOf('TAG_TYPES').map((name) => tagKeys.tags(name).pk),
    ...copy.partitionsOf('REFERRERS#'),
    ...idsOf('SEGMENTS').map((id) => entityKeys.referrersPartition('segment', id)),
    ...idsOf('ROLES').map((id) => entityKeys.referrersPartition('role', id)),
    ...copy.sortKeysOf('STRATEGY_TYPES').map((name) => entityKeys.referrersPartition('strategy type', name)),
    ...copy.sortKeysOf('CONTEXT_FIELDS').map((name) => entityKeys.referrersPartition('context field', name)),
  ];
  return [...[...new Set(names)].map((pk) => ({ pk })), ...listNewSeals(copy)];
}

/** Lists the leaves of the seals that were made since the backup began. Seals never change, so others need not be read again. */
function listNewSeals(copy: WorkingCopy): Partition[] {
  const known = new Set(copy.partitionsOf('SEAL#'));
  const all = copy.sortKeysOf('SEALS').map((sk) => `SEAL#${sk}`);
  return all.filter((pk) => !known.has(pk)).map((pk) => ({ pk }));
}
