import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from '../../lib/request.ts';
import type { Key } from '../../lib/store/client/definition.ts';
import { marshall } from '../../lib/store/client/marshall.ts';
import { attemptsBehind, interceptAttempts, marshalledOutput, plainOutput } from './intercept.ts';

/**
 * Behaviour of DynamoDB that no emulator has, put in front of one. Each rule can be left out.
 *
 * Conflicts, https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html: while a
 * transaction is in flight, each other one that touches an item of it is cancelled, and so is a write outside of
 * transactions.
 *
 * Half a transaction, same page, "Read-committed isolation": a Query or a BatchGetItem reads one item after the other,
 * so that of a transaction which is carried out meanwhile it may see some items as they are then and others as they
 * were before. A read that begins afterwards sees all of it.
 */
export interface StoreRules {
  readonly conflicts?: boolean;
  readonly halfVisible?: boolean;
  /** Least time that a transaction is in flight; the embedded store takes one millisecond or two. */
  readonly inFlightMs?: number;
  /** Between 0 and 1: decides which items a read sees as they were before. */
  readonly random?: () => number;
}

/** Counts of the rules' effects so far. */
export interface RuleCounts {
  transactions: number;
  /** Transactions that were cancelled since another one was in the way. */
  conflicts: number;
  /** Writes outside of transactions that were refused for the same reason. */
  refusedWrites: number;
  /** Reads that saw half of a transaction. */
  halfReads: number;
}

// biome-ignore lint/suspicious/noExplicitAny: requests and answers of all kinds.
type Anything = any;
type Item = Key & Readonly<Record<string, unknown>>;

/** Items before a transaction that touches them; undefined for new ones. */
type Before = readonly (readonly [Key, Item | undefined])[];

/** A read under way, and the transactions that were carried out since it began. */
interface OpenRead {
  readonly carriedOut: Before[];
}

/**
 * Holds the requests to an open table to the rules, further attempts included, as long as the block lasts that uses it.
 * Other faults are to be added before, since they happen on the way to the store.
 */
export function underStoreRules(
  table: Request,
  { conflicts = true, halfVisible = true, inFlightMs = 0, random = Math.random }: StoreRules = {},
): Disposable & { readonly counts: Readonly<RuleCounts> } {
  const counts: RuleCounts = { transactions: 0, conflicts: 0, refusedWrites: 0, halfReads: 0 };
  const inFlight = new Set<string>();
  // The store answers a transaction that it has carried out by its token, whatever else is in flight.
  const knownTokens = new Set<string>();
  const reads = new Set<OpenRead>();
  /**
   * For each transaction under way, the reads that may see it undone. A read that has ended since it began may have seen it
   * done, although its own answer is still on its way: no read that begins after that one joins.
   */
  const audiences = new Set<{ readonly reads: Set<OpenRead>; isClosed: boolean }>();

  /** Carries out what touches some items, while nothing else may. */
  async function alone<T>(ids: readonly string[], carryOut: () => Promise<T>): Promise<T> {
    for (const id of ids) inFlight.add(id);
    try {
      const [answer] = await Promise.all([carryOut(), inFlightMs > 0 && sleep(inFlightMs)]);
      return answer;
    } finally {
      for (const id of ids) inFlight.delete(id);
    }
  }

  async function transaction(input: Anything, carryOut: () => Promise<Anything>): Promise<Anything> {
    const { ClientRequestToken: token } = input;
    if (token !== undefined && knownTokens.has(token)) return carryOut();
    const keys = keysIn(input);
    counts.transactions += 1;
    const ids = keys.map(idOf);
    if (conflicts && ids.some((id) => inFlight.has(id))) {
      counts.conflicts += 1;
      throw canceled(ids.map((id) => (inFlight.has(id) ? 'TransactionConflict' : 'None')));
    }
    return alone(ids, async () => {
      const before = halfVisible ? await itemsUnder(keys) : [];
      const audience = { reads: new Set(reads), isClosed: false };
      audiences.add(audience);
      try {
        const answer = await carryOut();
        knownTokens.add(token);
        for (const open of audience.reads) open.carriedOut.push(before);
        return answer;
      } finally {
        audiences.delete(audience);
      }
    });
  }

  async function read(input: Anything, carryOut: () => Promise<Anything>): Promise<Anything> {
    const open: OpenRead = { carriedOut: [] };
    reads.add(open);
    for (const audience of audiences) if (!audience.isClosed) audience.reads.add(open);
    try {
      const output = plainOutput(await carryOut());
      const halfOutput = halfSeen(input, output, seenBefore(open, random));
      if (halfOutput !== output) counts.halfReads += 1;
      return marshalledOutput(halfOutput);
    } finally {
      reads.delete(open);
      for (const audience of audiences) audience.isClosed = true;
    }
  }

  /** Reads items as they are now, past the rules and other faults. */
  async function itemsUnder(keys: readonly Key[]): Promise<Before> {
    const found = new Map<string, Item>();
    const RequestItems = {
      [table.store.name]: { Keys: keys.map(({ pk, sk }) => marshall({ pk, sk })), ConsistentRead: true },
    };
    const { Responses }: Anything = plainOutput(await attemptsBehind(table)('BatchGetItem', { RequestItems }, {}));
    for (const item of (Responses?.[table.store.name] ?? []) as Item[]) found.set(idOf(item), item);
    return keys.map((key) => [key, found.get(idOf(key))]);
  }

  const interception = interceptAttempts(table, async ({ operation, input }, next) => {
    if (operation === 'TransactWriteItems') return transaction(input, next);
    if (operation === 'UpdateItem') {
      if (!conflicts || !inFlight.has(idOf(plainKey(input.Key)))) return next();
      counts.refusedWrites += 1;
      throw Object.assign(new Error('Transaction is ongoing'), { name: 'TransactionConflictException' });
    }
    // The index of events lags behind the table in any case, and its readers wait for that.
    const isOfIndex = (input as Anything).IndexName !== undefined;
    return halfVisible && ['Query', 'BatchGetItem'].includes(operation) && !isOfIndex ? read(input, next) : next();
  });
  return { ...interception, counts };
}

const idOf = ({ pk, sk }: Key) => `${pk}\n${sk}`;

/** A key as the client sends it. */
function plainKey({ pk, sk }: Anything): Key {
  return { pk: pk.S, sk: sk.S };
}

function keysIn({ TransactItems }: Anything): Key[] {
  return TransactItems.map(({ Put, Update, Delete, ConditionCheck }: Anything) =>
    plainKey(Put?.Item ?? (Update ?? Delete ?? ConditionCheck).Key),
  );
}

function canceled(codes: readonly string[]): Error {
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(', ')}]`;
  return Object.assign(new Error(message), {
    name: 'TransactionCanceledException',
    CancellationReasons: codes.map((Code) => ({ Code })),
  });
}

/** Chooses by chance the items that a read sees as they were: never one as it was before something that it does see. */
function seenBefore({ carriedOut }: OpenRead, random: () => number): Map<string, { key: Key; item: Item | undefined }> {
  const seen = new Map<string, { key: Key; item: Item | undefined }>();
  const decided = new Set<string>();
  for (const touched of carriedOut.toReversed()) {
    for (const [key, item] of touched) {
      const id = idOf(key);
      if (decided.has(id)) continue;
      if (random() < 0.5) seen.set(id, { key, item });
      else decided.add(id);
    }
  }
  return seen;
}

/** The answer of a read that sees some items as they were; the same one where it has nothing to do with them. */
function halfSeen(input: Anything, output: Anything, before: ReturnType<typeof seenBefore>): Anything {
  if (before.size === 0) return output;
  if (input.RequestItems === undefined) {
    const Items = withBefore(output.Items ?? [], before, (key) => isWhole(input, output) && isAskedFor(input, key));
    return Items === output.Items ? output : { ...output, Items: inOrder(Items, input) };
  }
  const [[table, { Keys }]] = Object.entries(input.RequestItems) as [[string, Anything]];
  const wanted = new Set(Keys.map((key: Anything) => idOf(plainKey(key))));
  const items = output.Responses?.[table] ?? [];
  const seen = withBefore(items, before, (key) => wanted.has(idOf(key)));
  return seen === items ? output : { ...output, Responses: { [table]: seen } };
}

/** @param mayAppear true if an item that is gone may be among the items. */
function withBefore(
  items: readonly Item[],
  before: ReturnType<typeof seenBefore>,
  mayAppear: (key: Key) => boolean,
): readonly Item[] {
  const ids = new Set(items.map(idOf));
  const kept = items.flatMap((item) => {
    const was = before.get(idOf(item));
    if (was === undefined) return [item];
    return was.item === undefined ? [] : [was.item];
  });
  const gone = [...before.values()].flatMap(({ key, item }) =>
    item !== undefined && !ids.has(idOf(key)) && mayAppear(key) ? [item] : [],
  );
  const isSame =
    gone.length === 0 && kept.length === items.length && kept.every((item, index) => item === items[index]);
  return isSame ? items : [...kept, ...gone];
}

function isWhole({ Limit, ExclusiveStartKey }: Anything, { LastEvaluatedKey }: Anything): boolean {
  return [Limit, ExclusiveStartKey, LastEvaluatedKey].every((part) => part === undefined);
}

function isAskedFor({ KeyConditionExpression, ExpressionAttributeValues }: Anything, { pk, sk }: Key): boolean {
  const { ':pk': partition, ':sk': bound, ':end': end } = ExpressionAttributeValues;
  if (partition.S !== pk) return false;
  if (bound === undefined) return true;
  if (end !== undefined) return sk >= bound.S && sk <= end.S;
  return KeyConditionExpression.includes('begins_with') ? sk.startsWith(bound.S) : sk < bound.S;
}

function inOrder(items: readonly Item[], { ScanIndexForward = true }: Anything): Item[] {
  const sorted = items.toSorted((a, b) => Buffer.compare(Buffer.from(a.sk), Buffer.from(b.sk)));
  return ScanIndexForward ? sorted : sorted.toReversed();
}
