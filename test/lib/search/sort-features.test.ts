import { describe, expect, test } from 'vitest';
import { buildNewLife, enterStage } from '../../../lib/features/lifecycle/lifecycle.ts';
import type { FeatureSearch } from '../../../lib/search/feature-search-schema.ts';
import { sortFeatures } from '../../../lib/search/sort-features.ts';
import { readModelFeature } from './read-model-feature.ts';

const day = (number: number) => `2026-02-0${number}T00:00:00.000Z`;
const life = enterStage(buildNewLife(day(1)), { stage: 'live', enteredStageAt: day(2) });

const features = [
  readModelFeature('c', { project: 'a', stale: true, createdAt: day(3), createdBy: { id: 2, name: 'bob' }, ...life }),
  readModelFeature(
    'b',
    { createdAt: day(1), description: 'x', createdBy: { id: 9, name: 'carol' } },
    { production: { enabled: true } },
  ),
  readModelFeature('a', { createdAt: day(2), description: 'y', type: 'kill-switch', impressionData: true }),
  readModelFeature('d', { createdAt: day(2), archivedAt: day(4) }, { development: { enabled: true } }),
];

/** Returns the names in the order of a search, without spaces. */
function order(sortBy: FeatureSearch['sortBy'], sortOrder: 'asc' | 'desc' = 'asc', favoritesFirst = false): string {
  const lastSeen: Readonly<Record<string, string>> = { c: day(1), d: day(2) };
  return sortFeatures(
    features,
    { sortBy, sortOrder, favoritesFirst },
    ({ feature }) => feature.name === 'd',
    ({ feature }) => lastSeen[feature.name] ?? null,
  )
    .map(({ feature }) => feature.name)
    .join('');
}

describe('Features in the order of a search', () => {
  test.each([
    ['name', 'abcd', 'dcba'],
    ['type', 'abcd', 'bcda'],
    ['project', 'cabd', 'abdc'],
    ['createdAt', 'badc', 'cadb'],
    ['createdBy', 'adcb', 'bcad'],
    ['stale', 'abdc', 'cabd'],
    ['impressionData', 'bcda', 'abcd'],
    ['lifecycle', 'abdc', 'cabd'],
    ['favorite', 'abcd', 'dabc'],
    ['environment:production', 'acdb', 'bacd'],
    ['environment:development', 'abcd', 'dabc'],
    ['environment:unknown', 'abcd', 'abcd'],
  ] as const)('by %s are "%s", and "%s" from the highest on; those that are equal by name', (by, rising, falling) => {
    expect([order(by), order(by, 'desc')]).toEqual([rising, falling]);
  });

  test.each([
    ['description', 'bacd', 'abcd'],
    ['archivedAt', 'dabc', 'dabc'],
    ['lastSeenAt', 'cdab', 'dcab'],
  ] as const)('by %s are "%s", and "%s" from the highest on: what has none comes last', (by, rising, falling) => {
    expect([order(by), order(by, 'desc')]).toEqual([rising, falling]);
  });

  test('begin with favorites if the search asks for favorites first', () => {
    expect([order('name', 'asc', true), order('name', 'desc', true)]).toEqual(['dabc', 'dcba']);
    expect(order('createdAt', 'asc', true)).toBe('dbac');
  });
});
