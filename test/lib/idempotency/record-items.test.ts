import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { claimItem, partItem, replyItem, versionCondition } from '../../../lib/idempotency/record-items.ts';
import { itemBytes, itemBytesMax } from '../../../lib/store/item.ts';
import { isUnexpired } from '../../../lib/values/time.ts';

const day = 24 * 60 * 60;
const seconds = 1_800_000_000;
const reply = { status: 200, headers: { etag: '"7"' }, text: '{"a":1}' };

describe('An item of an idempotency record', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: seconds * 1000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('expires after 24 hours', () => {
    const item = claimItem('f', undefined);
    expect(item.expiresAtSeconds).toBe(seconds + day);
    vi.setSystemTime((seconds + day) * 1000 - 1);
    expect(isUnexpired(item)).toBe(true);
    vi.setSystemTime((seconds + day) * 1000);
    expect(isUnexpired(item)).toBe(false);
  });

  test('expires at a whole second, never before 24 hours are over', () => {
    vi.setSystemTime(seconds * 1000 + 1);
    expect(claimItem('f', undefined).expiresAtSeconds).toBe(seconds + day + 1);
  });

  test('has version 1, or the version after the one that it replaces', () => {
    const first = claimItem('f', undefined);
    expect(first).toMatchObject({ fingerprint: 'f', version: 1 });
    expect(claimItem('g', first)).toMatchObject({ fingerprint: 'g', version: 2 });
    expect(replyItem('g', reply, first)).toMatchObject({ fingerprint: 'g', version: 2 });
  });

  test('contains the note of a first phase only if there is one', () => {
    expect(claimItem('f', undefined)).not.toHaveProperty('begun');
    expect(claimItem('f', undefined, 'now')).toMatchObject({ begun: 'now' });
  });

  test('contains the whole reply', () => {
    expect(replyItem('f', reply, undefined)).toEqual({
      fingerprint: 'f',
      version: 1,
      expiresAtSeconds: seconds + day,
      status: 200,
      headers: '{"etag":"\\"7\\""}',
      text: '{"a":1}',
    });
  });

  test('omits a body that is too large, and keeps the status and the headers', () => {
    const room = itemBytesMax - 512 - itemBytes({ ...replyItem('f', { ...reply, text: '' }, undefined) });
    const largest = { ...reply, text: 'x'.repeat(room) };
    expect(replyItem('f', largest, undefined).text).toBe(largest.text);
    const tooLarge = replyItem('f', { ...reply, text: `${largest.text}x` }, undefined);
    expect(tooLarge).toEqual({ ...replyItem('f', reply, undefined), text: null });
  });

  test('omits the headers and the body of a reply with a secret', () => {
    const kept = replyItem('f', reply, undefined, true);
    expect(kept).toEqual({
      fingerprint: 'f',
      version: 1,
      expiresAtSeconds: seconds + day,
      status: 200,
      headers: '{}',
      text: null,
      isSecret: true,
    });
  });

  test('names the units that one of several transactions has stored', () => {
    expect(partItem(['a', 'b'])).toEqual({ names: '["a","b"]', expiresAtSeconds: seconds + day });
  });

  test('is written only if the item that was read is unchanged', () => {
    expect(versionCondition(undefined)).toBe('absent');
    expect(versionCondition(claimItem('f', undefined))).toEqual({ version: 1 });
  });
});
