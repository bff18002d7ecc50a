import { describe, expect, test } from 'vitest';
import {
  requireArchived,
  requireFeature,
  requireHead,
  requireLive,
  requireLiveHead,
  requirePermitted,
} from '../../../lib/features/require-feature.ts';
import type { Caller } from '../../../lib/identity/caller.ts';
import { buildRights } from '../../../lib/identity/permissions.ts';
import { featureHead, storedFeature } from './stored-feature.ts';

const live = storedFeature();
const archived = storedFeature({ archivedAt: '2026-02-01T00:00:00.000Z' });

const refusedWith = (name: string, ...words: string[]) =>
  expect.objectContaining({ name, message: expect.stringMatching(words.join('.*')) });

describe('A feature', () => {
  test('is named with its project in a message that truncates long names', () => {
    const long = 'x'.repeat(5_000);
    expect(() => requireFeature(undefined, long, long)).toThrow(refusedWith('NotFoundError', '^.{200,300}$'));
  });

  test('can be edited unless it is archived', () => {
    expect(requireLive(live)).toBe(live);
    expect(() => requireLive(archived)).toThrow(refusedWith('NotFoundError', '"checkout" is archived'));
  });

  test('is in the archive only if it is archived, whether it was read as a whole or in part', () => {
    const head = featureHead({ archivedAt: '2026-02-01T00:00:00.000Z' });
    expect([requireArchived(archived), requireArchived(head)]).toEqual([archived, head]);
    const error = refusedWith('NotFoundError', '"checkout" is not archived');
    for (const each of [live, featureHead()]) expect(() => requireArchived(each)).toThrow(error);
  });

  test('of which only the own item was read is treated as one that was read as a whole', () => {
    const head = featureHead();
    const archivedHead = featureHead({ archivedAt: '2026-02-01T00:00:00.000Z' });
    expect([requireHead(head, 'checkout', 'shop'), requireLiveHead(head, 'checkout', 'shop')]).toEqual([head, head]);
    expect(requireHead(archivedHead, 'checkout', 'shop')).toBe(archivedHead);
    const isArchived = refusedWith('NotFoundError', '"checkout" is archived');
    expect(() => requireLiveHead(archivedHead, 'checkout', 'shop')).toThrow(isArchived);
    const missing = refusedWith('NotFoundError', 'project "default"', '"checkout"');
    for (const found of [head, undefined]) {
      for (const required of [requireHead, requireLiveHead]) {
        expect(() => required(found, 'checkout', 'default')).toThrow(missing);
      }
    }
  });

  test('without its project in the path requires the permission before it reveals whether it exists', () => {
    const asked: unknown[] = [];
    const callerWho = (isAllowed: boolean): Caller => ({
      ...{ id: 1, name: 'alice', rights: buildRights([], []) },
      may: (...about) => {
        asked.push(about);
        return isAllowed;
      },
      belongsTo: () => isAllowed,
    });
    expect(requirePermitted(live, 'checkout', callerWho(true), 'UPDATE_FEATURE').stored).toBe(live);
    expect(asked).toEqual([['UPDATE_FEATURE', 'shop', undefined]]);
    expect(() => requirePermitted(undefined, 'checkout', callerWho(true), 'UPDATE_FEATURE')).toThrow(
      refusedWith('NotFoundError', 'feature', '"checkout"'),
    );
    for (const stored of [live, undefined]) {
      expect(() => requirePermitted(stored, 'checkout', callerWho(false), 'UPDATE_FEATURE')).toThrow(
        refusedWith('NoAccessError', 'UPDATE_FEATURE'),
      );
    }
  });
});
