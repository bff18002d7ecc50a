import { describe, expect, test } from 'vitest';
import { findEntries, type PaletteEntry, pageEntries } from '../../../../lib/console/shell/find-entries.ts';

describe('The palette', () => {
  const flag = (name: string, text = ''): PaletteEntry => ({ kind: 'flag', name, hint: 'shop', text, to: '' });
  const namesFor = (entries: readonly PaletteEntry[], search: string) =>
    findEntries(entries, search).map(({ name }) => name);

  test('finds names that begin with the search first, then names with all words, then descriptions', () => {
    const entries = [flag('pay', 'the new checkout'), flag('checkout-new'), flag('new-checkout')];
    expect(namesFor(entries, 'new checkout')).toEqual(['new-checkout', 'checkout-new', 'pay']);
    expect(namesFor(entries, 'nothing')).toEqual([]);
  });

  test('names flags first, then projects, then pages, and last what only a description has', () => {
    const entry = (kind: PaletteEntry['kind'], name: string): PaletteEntry => ({ ...flag(name), kind });
    const entries = [
      entry('page', 'Search'),
      flag('facets', 'for search'),
      entry('project', 'Search'),
      flag('new-search'),
    ];
    expect(findEntries(entries, 'search').map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'flag new-search',
      'project Search',
      'page Search',
      'flag facets',
    ]);
  });

  test('finds pages, and at most nine entries', () => {
    expect(namesFor(pageEntries, 'rev')).toEqual(['Reviews']);
    expect(
      findEntries(
        Array.from({ length: 30 }, (_, index) => flag(`f${index}`)),
        'f',
      ),
    ).toHaveLength(9);
  });
});
