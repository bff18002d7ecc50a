import { isDeepStrictEqual } from 'node:util';
import type { Comparable, ComparableAnswer, ComparableRefusal, WireItemWithKey } from './comparable.ts';
import type { StoreDifference } from './compare.ts';

export const dynoxide = 'dynoxide';
export const dynamoDbLocal = 'DynamoDB Local';

/** An error of a store that ours is compared with. */
export interface KnownError {
  readonly store: typeof dynoxide | typeof dynamoDbLocal;
  /** The behaviour that DynamoDB, by its documentation or by the other store, does not have. */
  readonly error: string;
  /** True where the stores hold the same afterwards, so that the sequence can go on. */
  readonly changesNothing: boolean;
  /** True for one that all sequences together may not meet. */
  readonly isRare?: true;
  explains(difference: Seen): boolean;
}

type Seen = StoreDifference & { readonly own: Comparable; readonly other: Comparable };

const isAnswer = (each: Comparable): each is readonly ComparableAnswer[] => Array.isArray(each);
const isRefused = (each: Comparable, name: string) => !isAnswer(each) && (each as ComparableRefusal).refused === name;

/** Tells whether two answers are the same but for some of their members. */
function sameBut(a: unknown, b: unknown, replace: (name: string, value: unknown) => unknown): boolean {
  const [left, right] = [a, b].map((each) => JSON.parse(JSON.stringify(each, replace)));
  return isDeepStrictEqual(left, right);
}

const withoutUnits = (name: string, value: unknown) => (name === 'units' ? undefined : value);
const itemsOf = (answer: Comparable) => (isAnswer(answer) ? answer.flatMap(({ Items = [] }) => Items) : []);
const unitsOf = (answer: Comparable) => (isAnswer(answer) ? answer.flatMap(({ units }) => units) : []);

/** Lists the numbers of all items in a request, or in an answer. */
const listNumbers = (content: unknown) =>
  [...JSON.stringify(content).matchAll(/"N":"([^"]*)"/g)].map(([, number = '']) => number);

/** A number with an odd count of digits on both sides of its point. */
const oddOnBothSides = /^-?(?!0\.)\d(?:\d\d)*\.\d(?:\d\d)*$/;

const errors: readonly KnownError[] = [
  {
    store: dynoxide,
    error: 'It answers the key of an item that an update has created as if that had been there before (ALL_OLD).',
    changesNothing: true,
    explains: ({ request: [operation], own, other }) =>
      operation === 'UpdateItem' &&
      sameBut(own, other, (name, value) => (name === 'Attributes' && isKeyAlone(value) ? undefined : value)),
  },
  {
    store: dynoxide,
    error: 'It lets an update of a transaction change the key of an item.',
    changesNothing: false,
    explains: ({ request: [operation, input], own, other }) =>
      operation === 'TransactWriteItems' &&
      isRefused(own, 'ValidationException') &&
      isAnswer(other) &&
      /"UpdateExpression":"(?:SET pk|REMOVE sk)/.test(JSON.stringify(input)),
  },
  {
    store: dynoxide,
    error: 'Its begins_with on sort keys ignores the case of letters.',
    changesNothing: true,
    explains: ({ request: [operation, input], own, other }) =>
      operation === 'Query' && / begins_with\(sk/.test(String(input.KeyConditionExpression)) && isMore(other, own),
  },
  {
    store: dynoxide,
    error: 'It takes an empty text as the bound of a sort key.',
    changesNothing: true,
    explains: ({ request: [operation, input], own, other }) =>
      operation === 'Query' && isRefused(own, 'ValidationException') && isAnswer(other) && hasEmptyValue(input),
  },
  {
    store: dynoxide,
    error: 'It ends a page before the item that exceeds 1 MB, and not behind it.',
    changesNothing: true,
    explains: ({ own, other }) => isAnswer(own) && own.length > 1 && isDeepStrictEqual(itemsOf(own), itemsOf(other)),
  },
  {
    store: dynoxide,
    error: 'It calls a text that is not Unicode, and a limit below 0, mistakes of the form.',
    changesNothing: true,
    explains: ({ own, other }) => isRefused(own, 'ValidationException') && isRefused(other, 'SerializationException'),
  },
  {
    store: dynoxide,
    error: 'It sees a placeholder that no expression has only once the condition holds.',
    changesNothing: true,
    explains: ({ request: [, input], own, other }) =>
      /:more|#more/.test(JSON.stringify(input)) &&
      isRefused(own, 'ValidationException') &&
      isRefused(other, 'ConditionalCheckFailedException'),
  },
  {
    store: dynoxide,
    error: 'It refuses an update that makes an item exactly as large as it may be.',
    changesNothing: false,
    explains: ({ request: [operation], own, other }) =>
      operation === 'UpdateItem' && isAnswer(own) && isRefused(other, 'ValidationException'),
  },
  {
    store: dynoxide,
    // AWS documents approximately "1 byte per two significant digits", which leaves this open; the embedded store keeps to the words.
    error: 'It counts the digits before and behind the point of a number apart: 1.5 takes a byte more.',
    changesNothing: true,
    isRare: true,
    explains: ({ request, own, other }) =>
      listNumbers([request, own]).some((number) => oddOnBothSides.test(number)) &&
      sameBut(own, other, withoutUnits) &&
      unitsOf(own).every((units, index) => [0, 0.5, 1].includes((unitsOf(other)[index] ?? 0) - units)),
  },
  {
    store: dynoxide,
    error:
      'It counts a transaction that comes again as a read of its items as they were before, where these were larger.',
    changesNothing: true,
    isRare: true,
    explains: ({ request: [operation, input], own, other }) =>
      operation === 'TransactWriteItems' &&
      input.ClientRequestToken !== undefined &&
      sameBut(own, other, withoutUnits) &&
      unitsOf(own).every((units, index) => units <= (unitsOf(other)[index] ?? 0)),
  },
  {
    store: dynamoDbLocal,
    error: 'A read of nothing costs nothing, and a transaction twice its cost.',
    changesNothing: true,
    explains: ({ own, other }) => isAnswer(other) && sameBut(own, other, withoutUnits),
  },
  {
    store: dynamoDbLocal,
    error: 'It answers large and small numbers with an exponent.',
    changesNothing: true,
    explains: ({ own, other }) =>
      sameBut(own, other, (name, value) => (name === 'N' ? Number(value) : withoutUnits(name, value))),
  },
  {
    store: dynamoDbLocal,
    error: 'It has another order of those entries of the index that have equal keys, of which nothing is documented.',
    changesNothing: true,
    explains: ({ request: [, input], own, other }) =>
      input.IndexName !== undefined && isAnswer(other) && isDeepStrictEqual(textsOf(own), textsOf(other)),
  },
  {
    store: dynamoDbLocal,
    error: 'It takes a text that is not Unicode.',
    changesNothing: false,
    explains: ({ request, own, other }) =>
      isRefused(own, 'ValidationException') &&
      !isRefused(other, 'ValidationException') &&
      /\\ud[89a-f]/.test(JSON.stringify(request)),
  },
  {
    store: dynamoDbLocal,
    error: 'It looks at the conditions of a transaction before it sees that two of its writes are of one item.',
    changesNothing: true,
    explains: ({ request: [, input], own, other }) =>
      isRefused(own, 'ValidationException') && isRefused(other, 'TransactionCanceledException') && hasTwins(input),
  },
  {
    store: dynamoDbLocal,
    error: 'It knows that nothing follows a page that is full, and begins no empty one.',
    changesNothing: true,
    explains: ({ own, other }) =>
      isAnswer(own) &&
      own.length > 1 &&
      own.at(-1)?.Items?.length === 0 &&
      isDeepStrictEqual(itemsOf(own), itemsOf(other)),
  },
];

/** The known error that a difference comes from; undefined where it is ours, or a new one. */
export function excuseFor(difference: StoreDifference): KnownError | undefined {
  return errors.find(({ store, explains }) => store === difference.store && explains(difference as Seen));
}

/** The known errors of a store that were not among those met, of which it may have been cured. */
export function unmetErrors(stores: readonly string[], met: ReadonlySet<KnownError>): readonly KnownError[] {
  return errors.filter((each) => !each.isRare && stores.includes(each.store) && !met.has(each));
}

/** The items of an answer, whatever their order. */
const textsOf = (answer: Comparable) =>
  itemsOf(answer)
    .map((item) => JSON.stringify(Object.entries(item).toSorted()))
    .toSorted();

const isKeyAlone = (value: unknown) =>
  Object.keys(value ?? {})
    .toSorted()
    .join() === 'pk,sk';

/** Tells whether an answer has all items of another one, and more. */
function isMore(more: Comparable, less: Comparable): boolean {
  const texts = new Set(itemsOf(more).map(keyIn));
  return isAnswer(more) && isAnswer(less) && itemsOf(less).every((each) => texts.has(keyIn(each)));
}

const keyIn = ({ sk }: Pick<WireItemWithKey, 'sk'>) => sk.S;

const hasEmptyValue = ({ ExpressionAttributeValues = {} }: Readonly<Record<string, unknown>>) =>
  Object.values(ExpressionAttributeValues as object).some(({ S }) => S === '');

function hasTwins({ TransactItems }: Readonly<Record<string, unknown>>): boolean {
  const keys = (TransactItems as readonly object[]).flatMap((action) =>
    Object.values(action).map(({ Item, Key = Item }) => JSON.stringify([Key.pk, Key.sk])),
  );
  return new Set(keys).size < keys.length;
}
