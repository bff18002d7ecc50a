import { setTimeout as sleep } from 'node:timers/promises';

/** The event that CloudFormation sends to the function of a custom resource. */
export interface CustomResourceEvent<Properties> {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  /** The address for the answer, signed for one PUT. */
  readonly ResponseURL: string;
  readonly StackId: string;
  readonly RequestId: string;
  readonly LogicalResourceId: string;
  /** Absent when the resource is created. */
  readonly PhysicalResourceId?: string;
  readonly ResourceProperties: Properties;
}

/** The part of Lambda's context that says how long the function may run. */
export interface RunningTime {
  getRemainingTimeInMillis(): number;
}

/** The milliseconds of the function's time that are kept for the answer. */
const answerMs = 10_000;
/** CloudFormation takes an answer of 4096 bytes, addresses included. */
const reasonLengthMax = 1_000;

/**
 * Does the work of a custom resource and reports to CloudFormation how it ended. The answer carries no data, and the
 * same identity each time: a new one would make CloudFormation delete the resource of before.
 * @throws Error when the answer does not arrive; Lambda calls again then, with the same event.
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
 * Returns the reason why the work failed, or undefined when it is done in time. CloudFormation would wait long for one
 * that says nothing.
 */
async function failureOf(work: () => Promise<void>, milliseconds: number): Promise<string | undefined> {
  const timer = new AbortController();
  try {
    const late = sleep(milliseconds, 'It took too long.', { signal: timer.signal });
    return (await Promise.race([work(), late])) ?? undefined;
  } catch (error) {
    return (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, reasonLengthMax);
  } finally {
    timer.abort();
  }
}

async function put(address: string, answer: Readonly<Record<string, string>>): Promise<void> {
  const { ok, status } = await fetch(address, {
    method: 'PUT',
    // With a text, fetch would name its type, which the signature of the address does not cover.
    body: Buffer.from(JSON.stringify(answer)),
    signal: AbortSignal.timeout(answerMs),
  });
  if (!ok) throw new Error(`CloudFormation did not take the answer: ${status}.`);
}
