import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DeltaCache, type DeltaState } from '../../../../lib/delivery/delta/delta-cache.ts';
import { sha256 } from '../../../../lib/values/sha256.ts';

type Features = Readonly<Record<string, { readonly project: string; readonly text: string }>>;
type Segments = Readonly<Record<string, string>>;

const sortByName = (values: object) => Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1));

const stateOf = (revision: number, features: Features, segments: Segments): DeltaState => ({
  revision,
  hash: sha256(JSON.stringify([sortByName(features), sortByName(segments)])).slice(0, 16),
  features: new Map(
    Object.entries(features).map(([name, { project, text }]) => [
      name,
      { project, text: JSON.stringify({ name, project, text }) },
    ]),
  ),
  segments: new Map(
    Object.entries(segments).map(([id, text]) => [Number(id), JSON.stringify({ id: Number(id), text })]),
  ),
});

/** Applies events as SDKs do: one after the other, without a question. */
function applyEvents(before: DeltaState, text: string): { readonly features: unknown; readonly segments: unknown } {
  const features = new Map([...before.features].map(([name, feature]) => [name, JSON.parse(feature.text)]));
  const segments = new Map([...before.segments].map(([id, segment]) => [id, JSON.parse(segment)]));
  for (const event of JSON.parse(text)) {
    if (event.type === 'hydration') {
      features.clear();
      segments.clear();
      for (const feature of event.features) features.set(feature.name, feature);
      for (const segment of event.segments) segments.set(segment.id, segment);
    }
    if (event.type === 'feature-updated') features.set(event.feature.name, event.feature);
    if (event.type === 'feature-removed') features.delete(event.featureName);
    if (event.type === 'segment-updated') segments.set(event.segment.id, event.segment);
    if (event.type === 'segment-removed') segments.delete(event.segmentId);
  }
  return { features: Object.fromEntries(features), segments: Object.fromEntries(segments) };
}

const parsed = (state: DeltaState) => applyEvents(state, '[]');
const eventsOf = (cache: DeltaCache, hash: string | undefined) => JSON.parse(cache.writeEventsSince(hash));

const long = 'x'.repeat(500);
const flag = (text: string, project = 'shop') => ({ project, text: `${text}${long}` });
const others = { a: flag('a'), b: flag('b'), c: flag('c') };

describe('The events since a state', () => {
  test('lead from any earlier state to the present one', () => {
    const states = fc.array(
      fc.tuple(
        fc.dictionary(
          fc.constantFrom('a', 'b', 'c', 'd'),
          fc.record({ project: fc.constantFrom('p', 'q'), text: fc.constantFrom('1', '2', long) }),
        ),
        fc.dictionary(fc.constantFrom('1', '2'), fc.constantFrom('x', 'y')),
      ),
      { minLength: 2, maxLength: 8 },
    );
    fc.assert(
      fc.property(states, (all) => {
        const seen = all.map(([features, segments], index) => stateOf(index + 1, features, segments));
        const cache = new DeltaCache(seen[0] as DeltaState);
        for (const state of seen) cache.moveOn(state);
        const last = seen.at(-1) as DeltaState;
        for (const state of seen) {
          expect(applyEvents(state, cache.writeEventsSince(state.hash))).toEqual(parsed(last));
        }
      }),
      { numRuns: 500 },
    );
  });

  test('are none for the present state, and everything for an unknown one', () => {
    const cache = new DeltaCache(stateOf(7, others, {}));
    expect(eventsOf(cache, cache.state.hash)).toEqual([]);
    for (const hash of ['unknown', undefined]) {
      expect(eventsOf(cache, hash)).toMatchObject([{ type: 'hydration', eventId: 7, features: [{}, {}, {}] }]);
    }
  });

  test('send segments before the features that use them, and remove them after those that used them', () => {
    const first = stateOf(1, { ...others, gone: flag('gone') }, { 1: 'old' });
    const cache = new DeltaCache(first);
    cache.moveOn(stateOf(2, { ...others, a: flag('new') }, { 2: 'new' }));
    expect(eventsOf(cache, first.hash).map(({ type }: { type: string }) => type)).toEqual([
      'segment-updated',
      'feature-removed',
      'feature-updated',
      'segment-removed',
    ]);
  });

  test('remove a feature that moved from its old project first', () => {
    const first = stateOf(1, others, {});
    const cache = new DeltaCache(first);
    cache.moveOn(stateOf(2, { ...others, a: flag('a', 'books') }, {}));
    expect(eventsOf(cache, first.hash)).toMatchObject([
      { type: 'feature-removed', featureName: 'a', project: 'shop' },
      { type: 'feature-updated', feature: { name: 'a', project: 'books' } },
    ]);
  });

  test('name the states of now, so that a change there and back is none', () => {
    const first = stateOf(1, others, {});
    const cache = new DeltaCache(first);
    cache.moveOn(stateOf(2, { ...others, a: flag('other') }, {}));
    cache.moveOn(stateOf(3, others, {}));
    expect(eventsOf(cache, first.hash)).toEqual([]);
    cache.moveOn(stateOf(4, { ...others, b: flag('other') }, {}));
    expect(eventsOf(cache, first.hash)).toMatchObject([{ type: 'feature-updated', feature: { name: 'b' } }]);
  });

  test('are everything where that is shorter, and after more changes than are remembered', () => {
    const first = stateOf(1, others, {});
    const cache = new DeltaCache(first);
    cache.moveOn(stateOf(2, {}, {}));
    expect(eventsOf(cache, first.hash)).toMatchObject([{ type: 'hydration', features: [] }]);
    for (let revision = 3; revision < 200; revision += 1)
      cache.moveOn(stateOf(revision, { a: flag(`${revision}`) }, {}));
    expect(eventsOf(cache, first.hash)).toMatchObject([{ type: 'hydration', eventId: 199 }]);
  });

  test('are everything after changes of many features, of which not all are remembered', () => {
    const many = (text: string) =>
      Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`f${n}`, flag(n < 4_000 ? text : 'same')]));
    const states = ['a', 'b', 'c', 'd'].map((text, index) => stateOf(index + 1, many(text), {}));
    const cache = new DeltaCache(states[0] as DeltaState);
    for (const state of states) cache.moveOn(state);
    const amounts = states.map(({ hash }) => eventsOf(cache, hash).length);
    expect(amounts).toEqual([1, 4_000, 4_000, 0]);
  });

  test('ignore an earlier state that a slower request has read', () => {
    const cache = new DeltaCache(stateOf(5, others, {}));
    cache.moveOn(stateOf(4, {}, {}));
    expect(cache.state.revision).toBe(5);
  });
});
