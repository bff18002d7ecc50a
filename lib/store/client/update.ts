import type { Store } from '../work.ts';
import { ask, type StoreCaller } from './ask.ts';
import type { Key } from './definition.ts';
import { marshall, unmarshall } from './marshall.ts';
import type { InputOf } from './operations.ts';

type Values = Readonly<Record<string, string | number>>;

/** A change of some attributes of an item, which is made where it is missing. */
export interface Update {
  /** By how much numbers rise. */
  readonly add?: Readonly<Record<string, number>>;
  readonly set?: Values;
  /** Attributes that are set where they are missing. */
  readonly init?: Values;
}

/** A condition in the store's language, with the names and values in it; those that begin with `a` are taken. */
export interface Expression {
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, string | number | boolean | null>>;
}

/** An update in the store's language, under a condition. */
export function updateExpression({ add = {}, set = {}, init = {} }: Update, condition: Expression = {}) {
  const names = { ...condition.ExpressionAttributeNames };
  const values = { ...condition.ExpressionAttributeValues };
  let count = 0;
  const written = (changes: Values, write: (name: string, value: string) => string) =>
    Object.entries(changes).map(([attribute, value]) => {
      const [name, placeholder] = [`#a${count}`, `:a${count}`];
      count += 1;
      names[name] = attribute;
      values[placeholder] = value;
      return write(name, placeholder);
    });
  const added = written(add, (name, value) => `${name} ${value}`);
  const assigned = [
    ...written(set, (name, value) => `${name} = ${value}`),
    ...written(init, (name, value) => `${name} = if_not_exists(${name}, ${value})`),
  ];
  const clauses = [
    ...(added.length > 0 ? [`ADD ${added.join(', ')}`] : []),
    ...(assigned.length > 0 ? [`SET ${assigned.join(', ')}`] : []),
  ];
  return {
    ...condition,
    UpdateExpression: clauses.join(' '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: marshall(values),
  };
}

/** The condition of an update, and what becomes of it. */
export interface UpdateOptions extends Expression {
  /** True where a power cut may undo it, with all that comes after it. */
  readonly mayBeLost?: boolean;
}

/**
 * Updates one item, apart from any transaction, for all who wait for it.
 * @throws ConditionalCheckFailedException where the condition does not hold.
 */
export async function update(
  store: Store,
  askers: readonly StoreCaller[],
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
  const { Attributes = {} } = await ask(store, askers, 'UpdateItem', input, { mayBeLost });
  return unmarshall(Attributes);
}
