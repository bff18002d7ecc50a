import { createPublicKey } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bucketKeyOf } from '../../lib/history/checkpoint-bucket.ts';
import type { SignedCheckpoint } from '../../lib/history/checkpoint-schema.ts';
import { clockMs, openDeployedApi } from './background.ts';
import type { RehearsedService } from './contract.ts';
import { callEmulated, kms, readObject } from './emulated.ts';
import { type ProcessOptions, runOnTable, tail } from './processes.ts';
import { waitUntil } from './step.ts';

/** The settings of a stack that puts signed checkpoints into a bucket. */
export interface CheckpointSettings {
  readonly checkpointKeyArn: string;
  readonly checkpointLockDays: string;
}

/** Creates a key for checkpoints, as lib/history/README.md describes, and returns the settings of a stack that uses it. */
export async function createCheckpointSettings(endpoint: string): Promise<CheckpointSettings> {
  const key = { KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' };
  const { KeyMetadata } = await callEmulated(endpoint, kms, 'CreateKey', key);
  const { Arn } = KeyMetadata as { readonly Arn: string };
  return { checkpointKeyArn: Arn, checkpointLockDays: '1' };
}

/** The checkpoint that must come, and where it and its key are. */
interface ExpectedCheckpoint {
  readonly endpoint: string;
  readonly bucket: string;
  readonly keyArn: string;
  /** The time after which the clock must have made it. */
  readonly after: Date;
}

/**
 * Waits until the clock has put a new checkpoint of the store into the bucket, and verifies the history with that object and the public
 * key. The emulator does not lock a bucket that CloudFormation creates.
 * @returns the verdict of `verify`.
 * @throws RehearsalProblem if the object does not come in time, or `verify` finds something wrong.
 */
export async function verifyKeptCheckpoint(
  { url, adminToken, tableName }: RehearsedService,
  { endpoint, bucket, keyArn, after }: ExpectedCheckpoint,
  directory: string,
  options: ProcessOptions,
): Promise<string> {
  const call = openDeployedApi(url);
  let object: string | undefined;
  await waitUntil('a new checkpoint is in the bucket', clockMs, async () => {
    const { checkpoints } = await call(adminToken, 'GET', '/api/admin/history/checkpoints');
    const newer = (checkpoints as readonly SignedCheckpoint[]).find(({ at }) => at > after.toISOString());
    object = newer && (await readObject(endpoint, bucket, bucketKeyOf(newer)));
    return object !== undefined;
  });
  const files = { checkpoint: join(directory, 'checkpoint.json'), key: join(directory, 'checkpoint-key.pem') };
  await writeFile(files.checkpoint, String(object));
  const { PublicKey } = await callEmulated(endpoint, kms, 'GetPublicKey', { KeyId: keyArn });
  const key = createPublicKey({ key: Buffer.from(String(PublicKey), 'base64'), type: 'spki', format: 'der' });
  await writeFile(files.key, key.export({ type: 'spki', format: 'pem' }));
  const args = ['--checkpoint', files.checkpoint, '--key', files.key];
  return tail(await runOnTable('verify', args, tableName, options), 1);
}
