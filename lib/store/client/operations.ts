import type {
  BatchGetItemInput,
  BatchGetItemOutput,
  BatchWriteItemInput,
  BatchWriteItemOutput,
  CreateTableInput,
  CreateTableOutput,
  DeleteTableInput,
  DeleteTableOutput,
  DescribeContinuousBackupsInput,
  DescribeContinuousBackupsOutput,
  DescribeTableInput,
  DescribeTableOutput,
  DescribeTimeToLiveInput,
  DescribeTimeToLiveOutput,
  QueryInput,
  QueryOutput,
  ScanInput,
  ScanOutput,
  TransactWriteItemsInput,
  TransactWriteItemsOutput,
  UpdateContinuousBackupsInput,
  UpdateContinuousBackupsOutput,
  UpdateItemInput,
  UpdateItemOutput,
  UpdateTableInput,
  UpdateTableOutput,
  UpdateTimeToLiveInput,
  UpdateTimeToLiveOutput,
} from '@aws-sdk/client-dynamodb';

/** The operations of DynamoDB that are in use here, with the types that AWS's SDK gives their inputs and outputs. */
interface Operations {
  BatchGetItem: [BatchGetItemInput, BatchGetItemOutput];
  BatchWriteItem: [BatchWriteItemInput, BatchWriteItemOutput];
  CreateTable: [CreateTableInput, CreateTableOutput];
  DeleteTable: [DeleteTableInput, DeleteTableOutput];
  DescribeContinuousBackups: [DescribeContinuousBackupsInput, DescribeContinuousBackupsOutput];
  DescribeTable: [DescribeTableInput, DescribeTableOutput];
  DescribeTimeToLive: [DescribeTimeToLiveInput, DescribeTimeToLiveOutput];
  Query: [QueryInput, QueryOutput];
  Scan: [ScanInput, ScanOutput];
  TransactWriteItems: [TransactWriteItemsInput, TransactWriteItemsOutput];
  UpdateContinuousBackups: [UpdateContinuousBackupsInput, UpdateContinuousBackupsOutput];
  UpdateItem: [UpdateItemInput, UpdateItemOutput];
  UpdateTable: [UpdateTableInput, UpdateTableOutput];
  UpdateTimeToLive: [UpdateTimeToLiveInput, UpdateTimeToLiveOutput];
}

export type StoreOperation = keyof Operations;
export type InputOf<O extends StoreOperation> = Operations[O][0];
export type OutputOf<O extends StoreOperation> = Operations[O][1];

/** The operations whose cost and callers are counted. */
export type CountedOperation =
  | 'BatchGetItem'
  | 'BatchWriteItem'
  | 'Query'
  | 'Scan'
  | 'TransactWriteItems'
  | 'UpdateItem';

/** Options of a request to the store. */
export interface RequestOptions {
  /** Ends the request, and keeps it from being sent again. */
  readonly signal?: AbortSignal | undefined;
  /** True where a power cut may undo the change, with all that comes after it, although it was answered. */
  readonly mayBeLost?: boolean | undefined;
  /** True where the answer may come before what it tells of is on disk: the caller waits for that before it replies. */
  readonly isEarly?: boolean | undefined;
}

/** Sends a request to a store once, and returns its output. */
export type Transport = (operation: StoreOperation, input: object, options: RequestOptions) => Promise<object>;
