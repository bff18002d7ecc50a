import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { LimitFunction } from 'p-limit';
import type { Receipt } from './receipt.ts';
import type { StoreUsage } from './usage.ts';

/** An open table. Reads that it is asked for together travel together, whoever asks. */
export interface Table {
  readonly name: string;
  readonly client: DynamoDBDocumentClient;
  /** Holds back what would be more at once than is good for anybody. */
  readonly limiter: LimitFunction;
  /** What whoever holds this table has asked of the store. */
  readonly usage: StoreUsage;
  /** What the transactions of whoever holds this table leave behind; nothing, where none is wanted. */
  readonly receipt?: Receipt;
  /** The versions of which the thing that is changed must have one, as `If-Match` says; missing where any will do. */
  readonly expectedVersions?: ReadonlySet<number>;
}
