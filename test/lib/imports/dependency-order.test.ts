import { describe, expect, test } from 'vitest';
import { inDependencyOrder } from '../../../lib/imports/dependency-order.ts';

/** Orders things such as `'b<a'`: b, which depends on a. */
function ordered(...texts: string[]) {
  const things = texts.map((text) => text.split('<'));
  const { stages, circular } = inDependencyOrder(
    things,
    ([name = '']) => name,
    ([, ...parents]) => parents,
  );
  const names = (list: readonly string[][]) => list.map(([name]) => name).join('');
  return { stages: stages.map(names), circular: names(circular) };
}

describe('Things that depend on each other', () => {
  test('are one stage in their own order where none depends on another', () => {
    expect(ordered()).toEqual({ stages: [], circular: '' });
    expect(ordered('b', 'a', 'c')).toEqual({ stages: ['bac'], circular: '' });
  });

  test('come after all of their parents, however far these are apart', () => {
    expect(ordered('c<b', 'b<a', 'a')).toEqual({ stages: ['a', 'b', 'c'], circular: '' });
    expect(ordered('d<a<c', 'c<b', 'b<a', 'a')).toEqual({ stages: ['a', 'b', 'c', 'd'], circular: '' });
    expect(ordered('d<b<c', 'c<a', 'b<a', 'a')).toEqual({ stages: ['a', 'cb', 'd'], circular: '' });
  });

  test('do not wait for parents that are not among them, nor twice for one that is named twice', () => {
    expect(ordered('b<x<a', 'a<y')).toEqual({ stages: ['a', 'b'], circular: '' });
    expect(ordered('b<a<a', 'a')).toEqual({ stages: ['a', 'b'], circular: '' });
  });

  test('in a circle are told apart, with those that depend on them, and without those that they depend on', () => {
    expect(ordered('a<a')).toEqual({ stages: [], circular: 'a' });
    expect(ordered('d<c', 'c<b<r', 'b<c', 'r', 'e<r')).toEqual({ stages: ['r', 'e'], circular: 'dcb' });
  });
});
