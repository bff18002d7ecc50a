import type { ComparedStore } from './compared-store.ts';
import type { StoreRequest } from './sequence/requests.ts';
import type { WireValues } from './sequence/values.ts';

export type WireItemWithKey = WireValues & { readonly pk: { readonly S: string }; readonly sk: { readonly S: string } };

/** The answer to a read, of one page or of several together, or to a write. */
export interface ComparableAnswer {
  readonly Items?: readonly WireItemWithKey[];
  readonly Attributes?: WireValues;
  readonly found?: Readonly<Record<string, readonly WireItemWithKey[]>>;
  readonly units: readonly number[];
}

/** A refusal, of which the words do not matter. */
export interface ComparableRefusal {
  readonly refused: string;
  readonly reasons?: readonly { readonly Code: string; readonly Item?: WireValues }[];
  readonly Item?: WireValues;
}

/** The pages of a query, each with its end, and anything else as a list of one. */
export type Comparable = readonly ComparableAnswer[] | ComparableRefusal;

const keyText = ({ pk, sk }: WireItemWithKey) => JSON.stringify([pk, sk]);
const byKey = (a: WireItemWithKey, b: WireItemWithKey) => (keyText(a) < keyText(b) ? -1 : 1);

/**
 * Asks a store, page by page where there are several, and returns the answer as far as two stores have to agree: neither a
 * batch nor the partitions of a scan have an order.
 */
export async function askForAll(store: ComparedStore, [operation, input]: StoreRequest): Promise<Comparable> {
  const pages: ComparableAnswer[] = [];
  let start = input.ExclusiveStartKey;
  do {
    const page: StoreRequest = [operation, start === undefined ? input : { ...input, ExclusiveStartKey: start }];
    const { status, answer } = await store.ask(page);
    if (status !== 200) return refusal(answer);
    pages.push(answered(answer));
    start = answer.LastEvaluatedKey;
  } while (start !== undefined);
  return operation === 'Scan' ? [together(pages)] : pages;
}

/** Pages of a scan in one; what they cost depends on where they end. */
function together(pages: readonly ComparableAnswer[]): ComparableAnswer {
  const Items = pages.flatMap((page) => page.Items ?? []).toSorted(byKey);
  return { Items, units: pages.length === 1 ? (pages[0]?.units ?? []) : [] };
}

// biome-ignore lint/suspicious/noExplicitAny: the answers of all operations.
function answered({ Responses, ConsumedCapacity, TableDescription, ...rest }: any): ComparableAnswer {
  const units = [ConsumedCapacity ?? []].flat().map(({ CapacityUnits }) => CapacityUnits);
  if (Responses === undefined) return { ...rest, units };
  const found = Object.entries<WireItemWithKey[]>(Responses).map(
    ([table, items]) => [table, items.toSorted(byKey)] as const,
  );
  return { ...rest, units, found: Object.fromEntries(found) };
}

/** Stores do not agree where they refuse a part of a transaction that no item makes right: as a whole, or with reasons. */
// biome-ignore lint/suspicious/noExplicitAny: the refusals of all operations.
function refusal({ __type: type, CancellationReasons, Item }: any): ComparableRefusal {
  const reasons = CancellationReasons?.map(({ Code, Item }: { readonly Code: string; readonly Item?: WireValues }) => ({
    Code,
    ...(Item && { Item }),
  }));
  if (reasons?.some(({ Code }: { readonly Code: string }) => Code === 'ValidationError')) {
    return { refused: 'ValidationException' };
  }
  return { refused: type.split('#').at(-1), ...(reasons && { reasons }), ...(Item && { Item }) };
}
