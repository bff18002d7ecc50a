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

/** The operations of DynamoDB in use, with the types of their inputs and outputs from AWS's SDK. */
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

/** The operations that count as usage of their callers. */
export type CountedOperation =
  | 'BatchGetItem'
  | 'BatchWriteItem'
  | 'Query'
  | 'Scan'
  | 'TransactWriteItems'
  | 'UpdateItem';

/** Options of a request to the store. */
export interface RequestOptions {
  /** Cancels the request and its retries. */
  readonly signal?: AbortSignal | undefined;
  /** True if a power cut may undo the answered change, together with all later changes. */
  readonly mayBeLost?: boolean | undefined;
  /** True if the response may precede the write to disk, because the caller awaits durability before it replies. */
  readonly isEarly?: boolean | undefined;
}

/** Sends a request to a store once, and returns its output. */
export type Transport = (operation: StoreOperation, input: object, options: RequestOptions) => Promise<object>;
