import type {
  BatchGetCommandInput,
  BatchGetCommandOutput,
  BatchWriteCommandInput,
  BatchWriteCommandOutput,
  QueryCommandInput,
  QueryCommandOutput,
  ScanCommandInput,
  ScanCommandOutput,
  ServiceInputTypes,
  ServiceOutputTypes,
  TransactWriteCommandInput,
  TransactWriteCommandOutput,
  UpdateCommandInput,
  UpdateCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import { constructStack } from '@smithy/core/client';
import { type Command, type HandlerExecutionContext, SMITHY_CONTEXT_KEY } from '@smithy/types';
import type { Attributes } from '../item.ts';
import type { SendOptions } from './ask.ts';
import { fromWire, toWire, type WireAttributes } from './wire.ts';

/** An object of the store's protocol. */
// biome-ignore lint/suspicious/noExplicitAny: the types are those of the commands; in between lies text.
type Wire = any;

/** The coding of a command: its input becomes the request's object, and the answer's object becomes the output. */
export interface Coding {
  encode(input: Wire): Wire;
  decode(output: Wire): Wire;
  /** True where a power cut may undo the change, with all that comes after it, though it was answered. */
  readonly mayBeLost?: boolean;
}

interface Operation extends Coding {
  readonly name: string;
}

export const batchGet = commandsOf<BatchGetCommandInput, BatchGetCommandOutput>({
  name: 'BatchGetItem',
  encode: (input) => ({ ...input, RequestItems: mapped(input.RequestItems, withWireKeys) }),
  decode: (output) => ({
    ...output,
    Responses: mapped(output.Responses, (items: WireAttributes[]) => items.map(fromWire)),
    UnprocessedKeys: mapped(output.UnprocessedKeys, withPlainKeys),
  }),
});

export const query = commandsOf<QueryCommandInput, QueryCommandOutput>({
  name: 'Query',
  encode: encoded,
  decode: decodedPage,
});

export const scan = commandsOf<ScanCommandInput, ScanCommandOutput>({
  name: 'Scan',
  encode: encoded,
  decode: decodedPage,
});

export const batchWrite = commandsOf<BatchWriteCommandInput, BatchWriteCommandOutput>({
  name: 'BatchWriteItem',
  encode: (input) => ({
    ...input,
    RequestItems: mapped(input.RequestItems, (writes: Wire[]) => writes.map((write) => mapped(write, encoded))),
  }),
  decode: ({ UnprocessedItems, ...output }) => ({
    ...output,
    UnprocessedItems: mapped(UnprocessedItems, (writes: Wire[]) => writes.map((write) => mapped(write, decodedWrite))),
  }),
});

export const transactWrite = commandsOf<TransactWriteCommandInput, TransactWriteCommandOutput>({
  name: 'TransactWriteItems',
  encode: (input) => ({ ...input, TransactItems: input.TransactItems.map((action: Wire) => mapped(action, encoded)) }),
  decode: (output) => output,
});

const updating: Operation = {
  name: 'UpdateItem',
  encode: encoded,
  decode: (output) => ({ ...output, Attributes: output.Attributes && fromWire(output.Attributes) }),
};

export const updateItem = commandsOf<UpdateCommandInput, UpdateCommandOutput>(updating);

/** As `updateItem`, for what may be lost. */
export const touchItem = commandsOf<UpdateCommandInput, UpdateCommandOutput>({ ...updating, mayBeLost: true });

/** The fields of inputs that hold attributes. */
const attributeFields = ['Key', 'Item', 'ExpressionAttributeValues', 'ExclusiveStartKey'] as const;

function encoded(input: Wire): Wire {
  const wire = { ...input };
  for (const field of attributeFields) {
    if (wire[field] !== undefined) wire[field] = toWire(wire[field]);
  }
  return wire;
}

function decodedPage({ Items, LastEvaluatedKey, ...output }: Wire): Wire {
  return {
    ...output,
    ...(Items && { Items: Items.map(fromWire) }),
    ...(LastEvaluatedKey && { LastEvaluatedKey: fromWire(LastEvaluatedKey) }),
  };
}

/** A put or a removal of a batch. */
function decodedWrite({ Item, Key }: Wire): Wire {
  return { ...(Item && { Item: fromWire(Item) }), ...(Key && { Key: fromWire(Key) }) };
}

const withWireKeys = (wanted: { readonly Keys: readonly Attributes[] }) => ({
  ...wanted,
  Keys: wanted.Keys.map(toWire),
});
const withPlainKeys = (left: { readonly Keys: readonly WireAttributes[] }) => ({
  ...left,
  Keys: left.Keys.map(fromWire),
});

function mapped<T, U>(object: Readonly<Record<string, T>> | undefined, to: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(object ?? {}).map(([name, value]) => [name, to(value)]));
}

const noSteps = constructStack<Wire, Wire>();

/**
 * Makes commands that go through the client's steps as they are. For each request, the SDK's own put a list of steps
 * together, find the endpoint, and look through input and output for what this table does not have, which takes longer than
 * all the rest of the request.
 */
function commandsOf<Input extends ServiceInputTypes, Output extends ServiceOutputTypes>({
  name,
  ...coding
}: Operation): (input: Input) => Command<ServiceInputTypes, Input, ServiceOutputTypes, Output, Wire> {
  return (input) => ({
    input,
    middlewareStack: noSteps,
    resolveMiddleware(steps, { requestHandler, logger }, options = {}) {
      const context: HandlerExecutionContext = {
        logger,
        clientName: 'DynamoDBClient',
        commandName: `${name}Command`,
        [SMITHY_CONTEXT_KEY]: {
          service: 'DynamoDB_20120810',
          operation: name,
          coding,
          abortSignal: options.abortSignal,
          isEarly: (options as SendOptions).isEarly,
        },
      };
      return steps.resolve<Input, Output>(({ request }) => requestHandler.handle(request, options), context);
    },
  });
}
