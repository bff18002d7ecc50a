import { awsAddress, signForAws } from '../helpers/sign-for-aws.ts';
import { padId } from '../store/client/definition.ts';
import { sha256 } from '../values/sha256.ts';
import type { SignedCheckpoint } from './checkpoint-schema.ts';

/** The longest time until S3 answers. */
const timeoutMs = 5_000;

/** The beginning of the keys of checkpoints in the bucket. */
export const bucketPrefix = 'checkpoints/';

/**
 * Returns the key of a checkpoint in the bucket. It has the hash, since a restored store makes another checkpoint of the same number.
 * @internal
 */
export function bucketKeyOf({ number, hash }: Pick<SignedCheckpoint, 'number' | 'hash'>): string {
  return `${bucketPrefix}${padId(number)}-${hash}.json`;
}

/** Returns the name of the bucket of S3 that keeps checkpoints; undefined for none. In a deployment, it locks its objects. */
export function readCheckpointBucket(): string | undefined {
  return process.env.CHECKPOINT_BUCKET || undefined;
}

/**
 * Puts a checkpoint into the bucket, unless it is there already.
 * @throws Error if S3 refuses or does not answer.
 */
export async function putCheckpoint(bucket: string, checkpoint: SignedCheckpoint): Promise<void> {
  const url = new URL(`${bucket}/${bucketKeyOf(checkpoint)}`, awsAddress('s3'));
  const body = `${JSON.stringify(checkpoint)}\n`;
  const headers = await signForAws('s3', {
    method: 'PUT',
    url,
    headers: {
      'content-type': 'application/json',
      'if-none-match': '*',
      // S3 locks nothing without a checksum.
      'x-amz-checksum-sha256': sha256(body, 'base64'),
    },
    body,
  });
  const { status, text } = await send(url, headers, body).catch((cause: unknown) => {
    throw new Error(`Checkpoint ${checkpoint.number} may not be in the bucket yet: S3 did not answer.`, { cause });
  });
  const isThere = status === 412;
  if (status === 200 || isThere) return;
  const [, code = status] = /<Code>(\w+)<\/Code>/.exec(text) ?? [];
  throw new Error(`Checkpoint ${checkpoint.number} is not in the bucket yet: S3 answered ${code}.`);
}

async function send(url: URL, headers: Readonly<Record<string, string>>, body: string) {
  const response = await fetch(url, { method: 'PUT', headers, body, signal: AbortSignal.timeout(timeoutMs) });
  return { status: response.status, text: await response.text() };
}
