import { withoutSecrets } from '../integrations/addon-parameters.ts';
import { oidcWithoutSecret } from '../sign-in/sign-in-settings.ts';
import { type Key, kindOfItem } from '../store/client/definition.ts';
import type { RawItem } from '../store/raw-items.ts';

/** An item as it is written to a backup. */
export interface BackupItem {
  readonly item: RawItem | undefined;
  /** The omitted part that somebody must set again after a restore, in words. */
  readonly omission?: string;
}

/*
 * A backup treats items by their kind: it omits some, removes secrets from some, restores some last, and may read some at other moments
 * than the rest. lib/backup/round-partitions.ts lists the remaining kinds, and a test finds new kinds that are in no list. Which writes may
 * change rights is another question about the same kinds (lib/store/transactions/judge-writes.ts).
 */

/**
 * Kinds of items that expire soon and would be wrong in another store, or that are computed again from others. After a restore,
 * people must sign in again, a repeated request counts as a new one, and neither people nor integrations get earlier events.
 */
const omittedKinds: ReadonlySet<string> = new Set([
  ...['SESSIONS', 'SIGN_ONS', 'NONCES', 'ATTEMPTS', 'REQUEST', 'SENDING', 'MAILS', 'TRENDS_STATE'],
]);

/** Tells whether a backup omits this kind of item. */
export function isOmittedKind(item: Pick<Key, 'pk'>): boolean {
  return omittedKinds.has(kindOfItem(item));
}

/** Tells whether an item has expired; DynamoDB may delete it days later. */
export function isExpired({ expiresAtSeconds = Number.POSITIVE_INFINITY }: RawItem): boolean {
  return Number(expiresAtSeconds) <= Date.now() / 1_000;
}

/**
 * Removes the secrets from an item. Hashes stay, so that tokens and passwords continue to work. The secrets of frontend tokens stay
 * as well, since they are public.
 */
export function toBackupItem(item: RawItem): BackupItem {
  const kind = kindOfItem(item);
  if (isOmittedKind(item) || isExpired(item)) return { item: undefined };
  return Object.hasOwn(secretsOf, kind) ? (secretsOf[kind]?.(item) ?? { item }) : { item };
}

const secretsOf: Readonly<Record<string, (item: RawItem) => BackupItem>> = {
  TOKENS(item) {
    const { secret, ...others } = item;
    if (secret === undefined || item.kind === 'frontend') return { item };
    return {
      item: others,
      omission: `the secret of the client token "${item.name}" in lists (the token itself continues to work)`,
    };
  },
  // The store needs the secret itself to verify signatures and to derive tokens, so a hash would not be enough.
  EDGE_CLIENTS: ({ sk }) => ({
    item: undefined,
    omission: `the edge client "${sk}": register it again ("npm run token -- --edge ${sk}")`,
  }),
  EDGE_TOKENS: () => ({ item: undefined }),
  INVITATIONS({ sk, name }) {
    // The key contains the secret, also in the items of people who signed up with it.
    return {
      item: undefined,
      ...(sk.startsWith('LINK#') && { omission: `the invitation link "${name}": make a new one` }),
    };
  },
  SETTINGS(item) {
    const content = oidcWithoutSecret(item.sk, String(item.content));
    if (content === undefined) return { item };
    return {
      item: { ...item, content },
      omission: 'the client secret of OpenID Connect; until you enter it, nobody can sign on with OpenID Connect',
    };
  },
  ADDONS(item) {
    const { parameters, removed } = withoutSecrets(String(item.provider), JSON.parse(String(item.parameters)));
    if (removed.length === 0) return { item };
    return {
      item: { ...item, parameters: JSON.stringify(parameters), enabled: false },
      omission: `${removed.join(', ')} of integration ${item.id} (${item.provider}); after a restore it is off until you enter them`,
    };
  },
};

/** Kinds of items that grant access. A restore removes them first and writes them last, so that nobody sees half a store. */
const credentialKinds: ReadonlySet<string> = new Set(['ACCESS', 'SIGN_IN', 'TOKENS']);

/** Tells whether an item grants access. */
export function isCredential(key: Pick<Key, 'pk'>): boolean {
  return credentialKinds.has(kindOfItem(key));
}

/**
 * Kinds of items that no transaction writes together with others, such as counters and "last seen". A backup may contain them from
 * different moments.
 */
const independentKinds: ReadonlySet<string> = new Set([
  // Reports, and numbers that are computed from them or from events.
  ...['USAGE', 'SEEN', 'CUSTOM_METRICS', 'IMPACT_METRICS', 'IMPACT_METRIC', 'FEATURE_MINUTES', 'CLOUDWATCH_ALARMS'],
  ...['UNKNOWN_FLAGS', 'APPLICATIONS', 'APPLICATION', 'APPLICATION_FEATURES', 'PROJECT_APPLICATIONS', 'SDKS'],
  ...['TRAFFIC', 'PROJECT_WEEKS', 'TRENDS'],
  // Records of one person or one integration, and counters.
  ...['SIGN_INS', 'SIGN_IN', 'FAVORITES', 'UI_STATE', 'SENT', 'COUNTER'],
]);

/** Tells whether no transaction writes this kind of item together with others. @internal */
export function isIndependent(key: Pick<Key, 'pk'>): boolean {
  return independentKinds.has(kindOfItem(key));
}

/** Returns the part of an item that transactions write, as JSON; undefined for an independent item. */
export function transactionalContentOf({ seenAt: _, ...item }: RawItem): string | undefined {
  return isIndependent(item) ? undefined : JSON.stringify(item);
}
