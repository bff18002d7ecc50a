import { deliver } from './deliver.ts';
import type { ReadyOperation } from './operations.ts';
import { brokenPromises } from './promises.ts';
import { alteredRequest, describeRequest } from './request.ts';

/**
 * Lists the promises that an operation breaks in its answer to an unforeseen failure: here, its table is gone. The
 * failure breaks no promise; only the answer may.
 */
export async function brokenByCrash(operation: ReadyOperation, tokens: readonly string[]): Promise<string[]> {
  const { TABLE_NAME } = process.env;
  process.env.TABLE_NAME = 'prove-00000000-gone';
  try {
    const request = alteredRequest(operation, 'the table is gone', {});
    const delivered = await deliver(request);
    return brokenPromises(delivered, '', tokens)
      .filter((promise) => promise !== crashed)
      .map((promise) => `${promise}\n${describeRequest(request)}`);
  } finally {
    process.env.TABLE_NAME = TABLE_NAME;
  }
}

const crashed = 'It was answered with 500.';
