import { withoutSecrets } from '../integrations/addon-parameters.ts';
import { oidcWithoutSecret } from '../sign-in/sign-in-settings.ts';
import type { Key } from '../store/client/definition.ts';
import type { WholeItem } from '../store/whole-items.ts';

/** An item as a backup has it; undefined where it leaves the item out. */
export interface Carried {
  readonly item: WholeItem | undefined;
  /** The part that the backup lacks and that somebody has to set again, in words. */
  readonly lack?: string;
}

/**
 * Partitions that are not in a backup, by the part of their names before the first "#": what ends by itself soon and would
 * be wrong elsewhere. People sign in again, a request that is sent again after a restore is a new one, and neither people nor
 * integrations get what happened before it.
 */
const passing: ReadonlySet<string> = new Set([
  ...['SESSIONS', 'SIGN_ONS', 'NONCES', 'ATTEMPTS', 'REQUEST', 'SENDING', 'MAILS'],
]);

/** The part of the name of a partition before the first "#", which says what its items are. */
export const kindOfItem = ({ pk }: Pick<Key, 'pk'>): string => pk.split('#', 1)[0] ?? '';

/** Tells an item that ends by itself soon. */
export function isPassing(item: Pick<Key, 'pk'>): boolean {
  return passing.has(kindOfItem(item));
}

/** Tells an item that is gone, even where the store has not cleared it away yet. */
export function isExpired({ expiresAtSeconds = Number.POSITIVE_INFINITY }: WholeItem): boolean {
  return Number(expiresAtSeconds) <= Date.now() / 1_000;
}

/**
 * An item as a backup has it: without secrets that others could use. Hashes stay, by which tokens and passwords go on
 * working, and the secrets of frontend tokens, which are public.
 */
export function carriedOf(item: WholeItem): Carried {
  const kind = kindOfItem(item);
  if (isPassing(item) || isExpired(item)) return { item: undefined };
  return Object.hasOwn(secretsOf, kind) ? (secretsOf[kind]?.(item) ?? { item }) : { item };
}

const secretsOf: Readonly<Record<string, (item: WholeItem) => Carried>> = {
  TOKENS(item) {
    const { secret, ...others } = item;
    if (secret === undefined || item.kind === 'frontend') return { item };
    return {
      item: others,
      lack: `the secret of the client token "${item.name}" in lists (the token itself goes on working)`,
    };
  },
  // What it has signed is checked with the secret itself, and its tokens are derived from it: under a new secret it gets new
  // ones. Those that it has given out are tokens like others.
  EDGE_CLIENTS: ({ sk }) => ({
    item: undefined,
    lack: `the edge client "${sk}": register it again ("npm run token -- --edge ${sk}")`,
  }),
  EDGE_TOKENS: () => ({ item: undefined }),
  INVITATIONS({ sk, name }) {
    // Its key is its secret, as in the marks of those who came by it.
    return {
      item: undefined,
      ...(sk.startsWith('LINK#') && { lack: `the invitation link "${name}": make a new one` }),
    };
  },
  SETTINGS(item) {
    const content = oidcWithoutSecret(item.sk, String(item.content));
    if (content === undefined) return { item };
    return {
      item: { ...item, content },
      lack: 'the client secret of OpenID Connect, without which nobody signs on by it',
    };
  },
  ADDONS(item) {
    const { parameters, removed } = withoutSecrets(String(item.provider), JSON.parse(String(item.parameters)));
    if (removed.length === 0) return { item };
    return {
      item: { ...item, parameters: JSON.stringify(parameters), enabled: false },
      lack: `${removed.join(', ')} of the integration ${item.id} (${item.provider}), which is off until then`,
    };
  },
};

/** Partitions by which somebody gets in: a restore removes them first and puts them last. */
const entrances: ReadonlySet<string> = new Set(['ACCESS', 'SIGN_IN', 'TOKENS']);

/** Tells an item by which somebody gets in. */
export function isEntrance(key: Pick<Key, 'pk'>): boolean {
  return entrances.has(kindOfItem(key));
}

/**
 * Partitions of which each item stands by itself, most of them counted or seen apart from transactions: a backup may have
 * them as of different moments.
 */
const apart: ReadonlySet<string> = new Set([
  ...[
    'USAGE',
    'SEEN',
    'CUSTOM_METRICS',
    'TRAFFIC',
    'UNKNOWN_FLAGS',
    'APPLICATIONS',
    'APPLICATION',
    'APPLICATION_FEATURES',
  ],
  ...['PROJECT_APPLICATIONS', 'SDKS', 'SIGN_INS', 'SIGN_IN', 'FAVORITES', 'UI_STATE', 'SENT', 'COUNTER'],
]);

/** Tells a partition of which each item stands by itself. */
export function isApart(key: Pick<Key, 'pk'>): boolean {
  return apart.has(kindOfItem(key));
}

/** The content of an item as of one moment with others: without what is touched apart from transactions. */
export function jointContentOf({ seenAt: _, ...item }: WholeItem): string | undefined {
  return isApart(item) ? undefined : JSON.stringify(item);
}
