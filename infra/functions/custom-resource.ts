import { setTimeout as sleep } from 'node:timers/promises';

/** The event that CloudFormation sends to the function of a custom resource. */
export interface CustomResourceEvent<Properties> {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  /** The address for the answer, signed for one PUT. */
  readonly ResponseURL: string;
  readonly StackId: string;
  readonly RequestId: string;
  readonly LogicalResourceId: string;
  /** Absent if the resource is being created. */
  readonly PhysicalResourceId?: string;
  readonly ResourceProperties: Properties;
}

/** The part of Lambda's context with the remaining time. */
export interface RunningTime {
  getRemainingTimeInMillis(): number;
}

/** The milliseconds of the function's time that are reserved for the answer. */
const answerMs = 10_000;
/** CloudFormation accepts an answer of at most 4096 bytes, including addresses. */
const maxReasonLength = 1_000;

/**
 * Does the work of a custom resource, and reports the result to CloudFormation. The answer has no data, and always the same
 * physical id: a new one would make CloudFormation delete the previous resource.
 * @throws Error if the answer does not arrive. Lambda then calls again, with the same event.
 */
export async function answerCloudFormation(
  event: CustomResourceEvent<unknown>,
  time: RunningTime,
  work: () => Promise<void>,
): Promise<void> {
  const { StackId, RequestId, LogicalResourceId, PhysicalResourceId = LogicalResourceId } = event;
  const reason = await failureOf(work, time.getRemainingTimeInMillis() - answerMs);
  const outcome = reason === undefined ? { Status: 'SUCCESS' } : { Status: 'FAILED', Reason: reason };
  if (reason !== undefined) console.error(JSON.stringify({ level: 'ERROR', message: reason, RequestId }));
  await put(event.ResponseURL, { ...outcome, StackId, RequestId, LogicalResourceId, PhysicalResourceId });
}

/**
 * Returns the reason why the work failed, or undefined if it is done in time. Without an answer, CloudFormation would wait for a
 * long time.
 */
async function failureOf(work: () => Promise<void>, milliseconds: number): Promise<string | undefined> {
  const timer = new AbortController();
  try {
    const timeout = sleep(milliseconds, 'The function took too long.', { signal: timer.signal });
    return (await Promise.race([work(), timeout])) ?? undefined;
  } catch (error) {
    return (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, maxReasonLength);
  } finally {
    timer.abort();
  }
}

async function put(address: string, answer: Readonly<Record<string, string>>): Promise<void> {
  const { ok, status } = await fetch(address, {
    method: 'PUT',
    // A string body would add a content type, which the signature of the address does not cover.
    body: Buffer.from(JSON.stringify(answer)),
    signal: AbortSignal.timeout(answerMs),
  });
  if (!ok) throw new Error(`CloudFormation did not accept the answer: ${status}.`);
}
