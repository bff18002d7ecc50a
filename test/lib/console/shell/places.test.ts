import { describe, expect, test } from 'vitest';
import { matchPath } from '../../../../lib/console/browser/match-path.ts';
import { findPlaces, type PalettePlace, pagePlaces } from '../../../../lib/console/shell/find-places.ts';

describe('An address', () => {
  test('gives the decoded values of the names in its pattern', () => {
    const pattern = '/projects/:project/features/:feature';
    expect(matchPath(pattern, '/projects/shop/features/a%2Fb')).toEqual({ project: 'shop', feature: 'a/b' });
    for (const path of [
      '/projects/shop',
      '/projects/shop/features/',
      '/projects/shop/features/%zz',
      '/x/shop/features/a',
    ])
      expect(matchPath(pattern, path)).toBeUndefined();
  });
});

describe('The palette', () => {
  const flag = (name: string, text = ''): PalettePlace => ({ kind: 'flag', name, hint: 'shop', text, to: '' });
  const namesFor = (places: readonly PalettePlace[], search: string) =>
    findPlaces(places, search).map(({ name }) => name);

  test('finds names that begin with the search first, then names with all words, then descriptions', () => {
    const places = [flag('pay', 'the new checkout'), flag('checkout-new'), flag('new-checkout')];
    expect(namesFor(places, 'new checkout')).toEqual(['new-checkout', 'checkout-new', 'pay']);
    expect(namesFor(places, 'nothing')).toEqual([]);
  });

  test('names flags first, then projects, then pages, and last what only a description has', () => {
    const place = (kind: PalettePlace['kind'], name: string): PalettePlace => ({ ...flag(name), kind });
    const places = [
      place('page', 'Search'),
      flag('facets', 'for search'),
      place('project', 'Search'),
      flag('new-search'),
    ];
    expect(findPlaces(places, 'search').map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'flag new-search',
      'project Search',
      'page Search',
      'flag facets',
    ]);
  });

  test('finds pages, and at most nine places', () => {
    expect(namesFor(pagePlaces, 'rev')).toEqual(['Reviews']);
    expect(
      findPlaces(
        Array.from({ length: 30 }, (_, index) => flag(`f${index}`)),
        'f',
      ),
    ).toHaveLength(9);
  });
});
