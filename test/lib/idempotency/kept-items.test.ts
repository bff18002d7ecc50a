import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { answerItem, claimItem, partItem, unchangedSince } from '../../../lib/idempotency/kept-items.ts';
import { itemBytes, itemBytesMax } from '../../../lib/store/item.ts';
import { isUnexpired } from '../../../lib/values/time.ts';

const day = 24 * 60 * 60;
const seconds = 1_800_000_000;
const answer = { status: 200, headers: { etag: '"7"' }, text: '{"a":1}' };

describe('What is kept of a request', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: seconds * 1000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('counts for 24 hours and no longer', () => {
    const item = claimItem('f', undefined);
    expect(item.expiresAtSeconds).toBe(seconds + day);
    vi.setSystemTime((seconds + day) * 1000 - 1);
    expect(isUnexpired(item)).toBe(true);
    vi.setSystemTime((seconds + day) * 1000);
    expect(isUnexpired(item)).toBe(false);
  });

  test('counts for whole seconds, never for less than 24 hours', () => {
    vi.setSystemTime(seconds * 1000 + 1);
    expect(claimItem('f', undefined).expiresAtSeconds).toBe(seconds + day + 1);
  });

  test('begins with version 1, and replaces what was there before with the next version', () => {
    const first = claimItem('f', undefined);
    expect(first).toMatchObject({ fingerprint: 'f', version: 1 });
    expect(claimItem('g', first)).toMatchObject({ fingerprint: 'g', version: 2 });
    expect(answerItem('g', answer, first)).toMatchObject({ fingerprint: 'g', version: 2 });
  });

  test('says when it has begun where that is to be known', () => {
    expect(claimItem('f', undefined)).not.toHaveProperty('begun');
    expect(claimItem('f', undefined, 'now')).toMatchObject({ begun: 'now' });
  });

  test('is the answer as it went out', () => {
    expect(answerItem('f', answer, undefined)).toEqual({
      fingerprint: 'f',
      version: 1,
      expiresAtSeconds: seconds + day,
      status: 200,
      headers: '{"etag":"\\"7\\""}',
      text: '{"a":1}',
    });
  });

  test('leaves out a body that does not fit beside its keys, and keeps the rest', () => {
    const room = itemBytesMax - 512 - itemBytes({ ...answerItem('f', { ...answer, text: '' }, undefined) });
    const largest = { ...answer, text: 'x'.repeat(room) };
    expect(answerItem('f', largest, undefined).text).toBe(largest.text);
    const tooLarge = answerItem('f', { ...answer, text: `${largest.text}x` }, undefined);
    expect(tooLarge).toEqual({ ...answerItem('f', answer, undefined), text: null });
  });

  test('leaves out what holds a secret, whatever its size', () => {
    const kept = answerItem('f', answer, undefined, true);
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

  test('names what one of several transactions has carried out', () => {
    expect(partItem(['a', 'b'])).toEqual({ names: '["a","b"]', expiresAtSeconds: seconds + day });
  });

  test('is written only where there still is what was found', () => {
    expect(unchangedSince(undefined)).toBe('absent');
    expect(unchangedSince(claimItem('f', undefined))).toEqual({ version: 1 });
  });
});
