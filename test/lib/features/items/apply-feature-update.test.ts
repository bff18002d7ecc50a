import { describe, expect, test } from 'vitest';
import { buildNewFeature } from '../../../../lib/features/feature.ts';
import { applyFeatureUpdate } from '../../../../lib/features/items/apply-feature-update.ts';
import { buildNewLife } from '../../../../lib/features/lifecycle/lifecycle.ts';
import { toFeatureUpdate } from '../../../../lib/features/patch-feature.ts';
import type { JsonPatch } from '../../../../lib/helpers/json-patch-schema.ts';

const [before, at] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'];
const fields = { type: 'permission', description: 'What for', stale: true, impressionData: true };
const creation = { name: 'checkout', project: 'shop', createdAt: before, createdBy: { id: 7, name: 'alice' } };
const live = buildNewFeature({ ...creation, ...fields });

describe('An update', () => {
  test('changes only the named fields', () => {
    expect(applyFeatureUpdate(live, {}, at)).toEqual(live);
    expect(applyFeatureUpdate(live, { name: 'checkout', archived: false }, at)).toEqual(live);
    const update = { type: 'release', description: null, stale: false, impressionData: false };
    for (const [field, value] of Object.entries(update)) {
      expect(applyFeatureUpdate(live, { [field]: value }, at)).toEqual({ ...live, [field]: value });
    }
  });

  test('archives with a stage at that time, once, and revives with a new life cycle', () => {
    const archived = applyFeatureUpdate(live, { archived: true }, at);
    expect(archived).toMatchObject({ archivedAt: at, lifecycle: { stage: 'archived', enteredStageAt: at } });
    const later = '2026-03-01T00:00:00.000Z';
    expect(applyFeatureUpdate(archived, { archived: true }, later)).toEqual(archived);
    expect(applyFeatureUpdate(archived, { archived: false }, later)).toEqual({ ...live, ...buildNewLife(later) });
  });
});

describe('A patch becomes', () => {
  test.each<[string, JsonPatch, object]>([
    ['nothing', [], {}],
    [
      'nothing where fields end as they were',
      [
        { op: 'replace', path: '/stale', value: false },
        { op: 'replace', path: '/stale', value: true },
        { op: 'replace', path: '/name', value: 'checkout' },
      ],
      {},
    ],
    [
      'the fields that it changes',
      [
        { op: 'replace', path: '/type', value: 'release' },
        { op: 'replace', path: '/archived', value: true },
      ],
      { type: 'release', archived: true },
    ],
    [
      'nothing where it changes or removes what a feature keeps, as on Unleash',
      [
        { op: 'replace', path: '/project', value: 'other' },
        { op: 'replace', path: '/name', value: 5 },
        { op: 'remove', path: '/createdAt' },
        { op: 'add', path: '/archivedAt', value: at },
        { op: 'replace', path: '/lastSeenAt', value: at },
      ],
      {},
    ],
    ['a description of null where it is removed', [{ op: 'remove', path: '/description' }], { description: null }],
  ])('%s', (_what, patch, update) => {
    expect(toFeatureUpdate(live, patch)).toEqual(update);
  });

  test('an error that names once each field that cannot be removed or have this value', () => {
    const patch: JsonPatch = [
      { op: 'remove', path: '/type' },
      { op: 'replace', path: '/project', value: 5 },
      { op: 'replace', path: '/stale', value: 'yes' },
    ];
    const details = [
      { message: '/type cannot be removed.', path: 'type' },
      { message: expect.any(String), path: 'stale' },
    ];
    expect(() => toFeatureUpdate(live, patch)).toThrow(
      expect.objectContaining({
        name: 'ValidationError',
        details: expect.toSatisfy((found) => sameSet(found, details)),
      }),
    );
  });
});

function sameSet(found: readonly unknown[], wanted: readonly unknown[]): boolean {
  expect(found).toHaveLength(wanted.length);
  for (const problem of wanted) expect(found).toContainEqual(problem);
  return true;
}
