import type { Store } from '../work.ts';
import { callStore, type StoreCaller } from './call-store.ts';
import type { Key } from './definition.ts';
import { marshall, unmarshall } from './marshall.ts';
import type { InputOf } from './operations.ts';

type Values = Readonly<Record<string, string | number>>;

/** A change of some attributes of an item. DynamoDB creates the item if it is missing. */
export interface Update {
  /** The amounts to add to numbers. */
  readonly add?: Readonly<Record<string, number>>;
  readonly set?: Values;
  /** Values for missing attributes. */
  readonly init?: Values;
}

/** A condition expression of DynamoDB with its placeholders. `#a…` and `:a…` are reserved for `updateExpression`. */
export interface Expression {
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, string | number | boolean | null>>;
}

/** Returns an update expression of DynamoDB, with a condition. */
export function updateExpression({ add = {}, set = {}, init = {} }: Update, condition: Expression = {}) {
  const names = { ...condition.ExpressionAttributeNames };
  const values = { ...condition.ExpressionAttributeValues };
  let count = 0;
  const clausesOf = (changes: Values, format: (name: string, value: string) => string) =>
    Object.entries(changes).map(([attribute, value]) => {
      const [name, placeholder] = [`#a${count}`, `:a${count}`];
      count += 1;
      names[name] = attribute;
      values[placeholder] = value;
      return format(name, placeholder);
    });
  const additions = clausesOf(add, (name, value) => `${name} ${value}`);
  const assignments = [
    ...clausesOf(set, (name, value) => `${name} = ${value}`),
    ...clausesOf(init, (name, value) => `${name} = if_not_exists(${name}, ${value})`),
  ];
  const clauses = [
    ...(additions.length > 0 ? [`ADD ${additions.join(', ')}`] : []),
    ...(assignments.length > 0 ? [`SET ${assignments.join(', ')}`] : []),
  ];
  return {
    ...condition,
    UpdateExpression: clauses.join(' '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: marshall(values),
  };
}

/** The condition of an update, and its durability. */
export interface UpdateOptions extends Expression {
  /** True if a power cut may undo the update, together with all later changes. */
  readonly mayBeLost?: boolean;
}

/**
 * Updates one item outside of any transaction, for several callers.
 * @throws ConditionalCheckFailedException if the condition is false.
 */
export async function sendUpdate(
  store: Store,
  callers: readonly StoreCaller[],
  key: Key,
  change: Update,
  {
    returned = 'NONE',
    mayBeLost,
    ...condition
  }: UpdateOptions & { readonly returned?: InputOf<'UpdateItem'>['ReturnValues'] } = {},
): Promise<Readonly<Record<string, unknown>>> {
  const input = {
    TableName: store.name,
    Key: marshall({ ...key }),
    ...updateExpression(change, condition),
    ReturnValues: returned,
  };
  const { Attributes = {} } = await callStore(store, callers, 'UpdateItem', input, { mayBeLost });
  return unmarshall(Attributes);
}
