import type { Request } from '../../../lib/request.ts';
import { interceptRequests } from '../../harness/intercept.ts';

/** Finds requests that the deployed store would refuse, although the local one takes them. */
export interface StoreWatch {
  /** Returns the findings since the last call. */
  take(): string[];
}

interface Input {
  readonly Limit?: number;
  readonly ExpressionAttributeValues?: Readonly<Record<string, { readonly S?: string }>>;
}

/** DynamoDB's documented limits: a page's size is a 32-bit number, a key's parts have so many bytes. */
const limitMax = 2 ** 31 - 1;
const partitionKeyBytesMax = 2048;
const sortKeyBytesMax = 1024;

/** Watches all that the service asks of a table. */
export function watchStore(table: Request): StoreWatch {
  let found: string[] = [];
  interceptRequests(table, ({ operation, input }, next) => {
    if (operation === 'Query') found.push(...queryProblems(input));
    return next();
  });
  return {
    take() {
      const taken = found;
      found = [];
      return taken;
    },
  };
}

/** Reads by key are checked by the table's own layer; a query's condition is not. */
function queryProblems({ Limit = 1, ExpressionAttributeValues = {} }: Input): string[] {
  const { ':pk': partitionKey, ':sk': sortKey } = ExpressionAttributeValues;
  return [
    ...(Limit < 1 || Limit > limitMax ? [`A query asks for a page of ${Limit}, which DynamoDB refuses.`] : []),
    ...(bytes(partitionKey) > partitionKeyBytesMax
      ? ['A query names a partition that DynamoDB refuses: too long.']
      : []),
    ...(bytes(sortKey) > sortKeyBytesMax ? ['A query names a sort key that DynamoDB refuses: too long.'] : []),
  ];
}

function bytes(value: { readonly S?: string } = {}): number {
  return Buffer.byteLength(value.S ?? '');
}
