import { describe, expect, test } from 'vitest';
import { filterFlags, isShown } from '../../../../lib/console/flags/filter-flags.ts';
import type { ListedFlag } from '../../../../lib/screens/flags-schema.ts';

const flag = (name: string, rest: Partial<ListedFlag> = {}): ListedFlag => ({
  ...{ name, project: 'shop', type: 'release', description: null, tags: [], stale: false, favorite: false },
  ...{ stage: 'initial', createdAt: '2026-01-01T00:00:00.000Z', owner: { id: 1, name: 'Ann' }, environments: [] },
  ...rest,
});
const environment = { name: 'production', enabled: true, hasStrategies: true, lastSeenAt: null };
const everything = { search: '', show: undefined, type: undefined, tag: undefined };

describe('The filters of flags', () => {
  const flags = [
    flag('new-checkout', { description: 'Pay in one step', tags: ['simple:web'] }),
    flag('old-checkout', { type: 'kill-switch', environments: [{ ...environment, requests: [3] }] }),
    flag('search', { stale: true, favorite: true, owner: { id: 2, name: 'Bob' } }),
  ];
  const namesFor = (filters: Partial<Parameters<typeof filterFlags>[1]>) =>
    filterFlags(flags, { ...everything, ...filters }, 2).map(({ name }) => name);

  test('find all words of a search in the name, the description or a tag', () => {
    expect(namesFor({ search: 'CHECK' })).toEqual(['new-checkout', 'old-checkout']);
    expect(namesFor({ search: 'check step' })).toEqual(['new-checkout']);
    expect(namesFor({ search: 'web' })).toEqual(['new-checkout']);
    expect(namesFor({ search: ' ' })).toHaveLength(3);
  });

  test('combine a type, a tag and a chip', () => {
    expect(namesFor({ type: 'kill-switch' })).toEqual(['old-checkout']);
    expect(namesFor({ tag: 'simple:web', type: 'kill-switch' })).toEqual([]);
    expect(namesFor({ show: 'mine' })).toEqual(['search']);
    expect(namesFor({ show: 'starred', search: 'checkout' })).toEqual([]);
  });

  test('know the flags of each chip', () => {
    const shown = (show: Parameters<typeof isShown>[1]) =>
      flags.filter((each) => isShown(each, show, 2)).map(({ name }) => name);
    expect(shown('pending')).toEqual(['old-checkout']);
    expect(shown('not-live')).toEqual(['new-checkout', 'search']);
    expect(shown('stale')).toEqual(['search']);
  });
});
