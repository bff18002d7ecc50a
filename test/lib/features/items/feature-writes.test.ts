import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemUser } from '../../../../lib/events/actor.ts';
import { stampEvents } from '../../../../lib/events/event.ts';
import { buildNewFeature, type Feature } from '../../../../lib/features/feature.ts';
import {
  assembleFeature,
  inlineBytesMax,
  parseHead,
  parts,
  type StoredFeature,
} from '../../../../lib/features/items/feature-items.ts';
import { buildFeatureWrites } from '../../../../lib/features/items/feature-writes.ts';
import { buildHeadWrites } from '../../../../lib/features/items/own-write.ts';
import type { TombstoneItem } from '../../../../lib/features/items/stored-items.ts';
import * as featureKeys from '../../../../lib/features/keys.ts';
import type { Strategy } from '../../../../lib/features/strategies/strategy-schema.ts';
import { fullAccess } from '../../../../lib/request.ts';
import type { Key } from '../../../../lib/store/client/definition.ts';
import type { Write } from '../../../../lib/store/transactions/write.ts';
import { readModelProblems } from '../../../invariants/read-models.ts';

type Item = Key & Readonly<Record<string, unknown>>;
type Items = ReadonlyMap<string, Item>;

const name = 'checkout';
const environments = ['development', 'production'];
const createdAt = '2026-01-01T00:00:00.000Z';

const strategy = fc
  .record({ name: fc.constantFrom('default', 'own'), segments: fc.subarray([1, 2]), disabled: fc.boolean() })
  .map(
    (fields): Strategy =>
      ({
        id: 's',
        featureName: name,
        title: null,
        constraints: [],
        parameters: {},
        variants: [],
        sortOrder: 0,
        ...fields,
      }) as Strategy,
  );
const state = fc.record({
  enabled: fc.boolean(),
  strategies: fc.array(strategy, { maxLength: 2 }),
  variants: fc.constant([]),
});
const patch = fc.record(
  {
    project: fc.constantFrom('shop', 'other'),
    type: fc.constantFrom('release', 'kill-switch'),
    description: fc.constantFrom(null, 'short', 'long'.repeat(inlineBytesMax)),
    stale: fc.boolean(),
    impressionData: fc.boolean(),
    archivedAt: fc.constantFrom(null, '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'),
    tags: fc.subarray([
      { type: 'simple', value: 'one' },
      { type: 'simple', value: 'two' },
    ]),
    dependencies: fc.subarray([{ feature: 'parent', enabled: true, variants: [] }]),
    environments: fc.dictionary(fc.constantFrom(...environments), state, { noNullPrototype: true }),
  },
  { requiredKeys: [] },
);
const step = fc.oneof(patch, fc.record({ on: fc.constantFrom(...environments), enabled: fc.boolean() }));

function patched(
  feature: Feature,
  { environments = {}, ...fields }: Partial<typeof patch extends fc.Arbitrary<infer P> ? P : never>,
): Feature {
  return {
    ...feature,
    ...fields,
    environments: new Map([...feature.environments, ...Object.entries(environments)]),
  } as Feature;
}

const idOf = ({ pk, sk }: Key) => `${pk} ${sk}`;

/** Returns the items after the writes of a transaction. */
function written(items: Items, writes: readonly Write[]): Items {
  const after = new Map(items);
  for (const write of writes) {
    if ('put' in write) after.set(idOf(write.put), { ...write.put, ...JSON.parse(JSON.stringify(write.item)) });
    else if ('remove' in write) after.delete(idOf(write.remove));
    else if (!('check' in write)) {
      const key = 'add' in write ? write.add : (write.addToAny[0] as Key);
      const old = after.get(idOf(key)) ?? key;
      const sums = Object.entries(write.amounts).map(([each, amount]) => [
        each,
        Number(old[each as 'pk'] ?? 0) + amount,
      ]);
      after.set(idOf(key), { ...old, ...Object.fromEntries(sums), ...('set' in write && write.set) });
    }
  }
  return after;
}

function read(items: Items): StoredFeature {
  const itemOf = (key: Key) => {
    const { pk: _pk, sk: _sk, ...item } = items.get(idOf(key)) ?? key;
    return (items.has(idOf(key)) ? item : undefined) as never;
  };
  const head = parseHead(itemOf(featureKeys.feature(name)));
  const others = {
    environments: new Map(
      [...head.revision.summaries.keys()].map((each) => [each, itemOf(featureKeys.featureEnvironment(name, each))]),
    ),
    parts: new Map(parts.map((part) => [part, itemOf(featureKeys.featurePart(name, part))])),
  };
  return assembleFeature(head, others, []);
}

let lastId = 0;
function someEvent() {
  lastId += 1;
  return stampEvents(
    [{ type: 'feature-metadata-updated', featureName: name, project: 'shop' } as never],
    lastId,
    systemUser,
    createdAt,
  );
}

/** Returns the items after the creation of a feature. */
function created(after: Feature, tombstone?: TombstoneItem, items: Items = new Map()): Items {
  return written(items, buildFeatureWrites(fullAccess, { stored: undefined, tombstone, after }, someEvent()));
}

/** Returns the items after the deletion of a feature. */
function deleted(items: Items): Items {
  const own = [...items.values()].filter(({ pk, sk }) => pk === `FEATURE#${name}` && sk !== 'FEATURE');
  return written(
    items,
    buildFeatureWrites(fullAccess, { stored: read(items), items: own, after: undefined }, someEvent()),
  );
}

/** Attributes that only distinguish states, or count them. */
const counting = /^(version|mark|sum|r|moved|(in|out):.*|changedAt|firstEventId|lastEventId|eventCount|link|firstOn)$/;

/** Returns the items without counters of changes, and without empty items. */
function meaningOf(items: Items): Record<string, unknown> {
  const meant = [...items.values()]
    .filter(({ pk }) => !pk.endsWith('#EVENTS') && !pk.startsWith('TAGS#'))
    .flatMap(({ pk, sk, ...item }) => {
      const said = Object.entries(item)
        .filter(([each, value]) => !counting.test(each) && value !== 0)
        .map(([each, value]) => [each, each === 'environments' || each === 'parts' ? plain(String(value)) : value]);
      const isEmpty = [
        '{}',
        '{"strategies":"[]","variants":"[]"}',
        '{"state":"{\\"strategies\\":[],\\"variants\\":[]}"}',
      ];
      const text = JSON.stringify(Object.fromEntries(said));
      return isEmpty.includes(text) && !sk.startsWith('CHILD#') ? [] : [[`${pk} ${sk}`, Object.fromEntries(said)]];
    });
  return Object.fromEntries(meant.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}

/** Returns pairs sorted by name, without versions. */
function plain(json: string): unknown {
  const pairs: [string, unknown][] = JSON.parse(json);
  const unversioned = (value: unknown) =>
    typeof value === 'number' ? true : { ...(value as object), version: undefined, firstOn: undefined };
  return Object.fromEntries(pairs.map(([each, value]) => [each, unversioned(value)]));
}

test('A change leaves the same items as the creation of the changed feature, and the deletion leaves none', () => {
  fc.assert(
    fc.property(patch, fc.array(step, { minLength: 1, maxLength: 4 }), (first, steps) => {
      let items = created(patched(buildNewFeature({ name, project: 'shop', createdAt, createdBy: systemUser }), first));
      for (const each of steps) {
        const stored = read(items);
        const { feature } = stored;
        const { on, enabled, ...fields } = { on: undefined, enabled: false, ...each };
        const state = on && { strategies: [], variants: [], ...feature.environments.get(on), enabled };
        const after = patched(feature, on === undefined ? fields : { environments: { [on]: state } as never });
        const head = { ...stored, name, project: feature.project, archivedAt: feature.archivedAt };
        const least =
          on === undefined
            ? buildFeatureWrites(fullAccess, { stored, after }, someEvent())
            : buildHeadWrites(fullAccess, head, { switched: { environment: on, enabled } }, feature.tags, someEvent());
        items = written(items, least);
        expect(meaningOf(items)).toEqual(meaningOf(created(after)));
        expect(readModelProblems([...items.values()].filter(({ pk }) => pk !== 'FEATURE#parent'))).toEqual([]);
      }
      const gone = deleted(items);
      const own = featureKeys.feature(name);
      const { feature } = read(items);
      expect(meaningOf(gone)).toEqual({ [idOf(own)]: { deleted: true, project: feature.project } });
      expect(meaningOf(created(feature, gone.get(idOf(own)) as never, gone))).toEqual(meaningOf(items));
    }),
    { numRuns: 50 },
  );
});
