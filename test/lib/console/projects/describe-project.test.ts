import { describe, expect, test } from 'vitest';
import { describeStale, makeProjectId, ownersOf } from '../../../../lib/console/projects/describe-project.ts';

describe('A project', () => {
  test('gets an id from its name', () => {
    expect(makeProjectId('Checkout & Payments')).toBe('checkout-payments');
    expect(makeProjectId(' Été 2026 ')).toBe('ete-2026');
    expect(makeProjectId('日本')).toBe('');
  });

  test('names its owners, of which the service is none', () => {
    expect(ownersOf({ owners: [{ ownerType: 'system' }] })).toBe('');
    expect(
      ownersOf({
        owners: [
          { ownerType: 'user', name: 'Zoe', email: null },
          { ownerType: 'group', name: 'Team' },
        ],
      }),
    ).toBe('Zoe, Team (group)');
  });

  test('says the share of its stale flags, if there are any', () => {
    expect(describeStale({ staleFeatureCount: 0, featureCount: 4 })).toBeUndefined();
    expect(describeStale({ staleFeatureCount: 1, featureCount: 4 })).toBe('25% stale');
  });
});
