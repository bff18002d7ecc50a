import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { runClock } from '../../../lib/clock/clock.ts';
import { listCheckpoints } from '../../../lib/history/checkpoints.ts';
import { createCheckpointKey, openPrivateKey } from '../../../lib/history/signers/sign-by-private-key.ts';
import { useCheckpointSigner } from '../../../lib/history/signers/signer.ts';
import { type LockedBucket, openLockedBucket } from '../../harness/locked-bucket.ts';
import { freshService, type Service } from '../../harness/service.ts';

let bucket: LockedBucket;
let service: Service;

beforeEach(async () => {
  bucket = await openLockedBucket();
  onTestFinished(() => bucket[Symbol.asyncDispose]());
  for (const [name, value] of Object.entries(bucket.environment)) vi.stubEnv(name, value);
  useCheckpointSigner(openPrivateKey(createCheckpointKey()));
  service = await freshService();
});
afterEach(() => useCheckpointSigner());

/** Calls the clock as of some minutes from now. */
const callClock = (minutes: number) => runClock(service.table, new Date(Date.now() + minutes * 60_000));
const addTagType = (name: string) => service.post('/api/admin/tag-types', { name, description: name });
const checkpoints = async () => (await listCheckpoints(service.table, {})).checkpoints.toReversed();
const keptNumbers = () => [...bucket.objects.values()].map((content) => JSON.parse(content).number);

test('The clock puts each new checkpoint into the bucket, once, under a key that sorts by its number', async () => {
  await callClock(3);
  await addTagType('team');
  await callClock(14);
  await callClock(25);
  const all = await checkpoints();
  expect(all).toHaveLength(2);
  expect([...bucket.objects.values()].map((content) => JSON.parse(content))).toEqual(all);
  expect([...bucket.objects.keys()]).toEqual([
    `checkpoints/0000000000000001-${all[0]?.hash}.json`,
    `checkpoints/0000000000000002-${all[1]?.hash}.json`,
  ]);
});

test('A refused put fails the call, after its other work, and the next call makes up for it', async () => {
  bucket.refusal = 'SlowDown';
  await expect(callClock(3)).rejects.toThrow('Checkpoint 1 is not in the bucket yet: S3 answered SlowDown');
  await addTagType('team');
  await expect(callClock(14)).rejects.toThrow('SlowDown');
  expect([(await checkpoints()).length, keptNumbers()]).toEqual([2, []]);
  bucket.refusal = undefined;
  await callClock(15);
  expect(keptNumbers()).toEqual([1, 2]);
});

test('A put whose answer is lost is repeated without a second object', async () => {
  bucket.isCutOff = true;
  await expect(callClock(3)).rejects.toThrow('Checkpoint 1 may not be in the bucket yet: S3 did not answer');
  expect(keptNumbers()).toEqual([1]);
  bucket.isCutOff = false;
  await callClock(4);
  bucket.objects.clear();
  await callClock(5);
  expect(keptNumbers()).toEqual([]);
});

test('A checkpoint of another history, as after a restore, is put beside one of the same number', async () => {
  await callClock(3);
  service = await freshService();
  await callClock(3);
  expect(keptNumbers()).toEqual([1, 1]);
});

test('Without a bucket, checkpoints do not wait for one', async () => {
  vi.stubEnv('CHECKPOINT_BUCKET', '');
  await callClock(3);
  vi.stubEnv('CHECKPOINT_BUCKET', bucket.environment.CHECKPOINT_BUCKET);
  await callClock(4);
  expect([(await checkpoints()).length, keptNumbers()]).toEqual([1, []]);
});
