import { describe, expect, test } from 'vitest';
import type { RequestedChange } from '../../../lib/change-requests/change-request.ts';
import { findReasonAgainst } from '../../../lib/change-requests/schedules/reasons.ts';

const reordering = { feature: 'checkout', action: 'reorderStrategy', payload: [] } as unknown as RequestedChange;

describe('A scheduled change', () => {
  test('is suspended by a migration that updates its feature', () => {
    const reason = findReasonAgainst(reordering, { type: 'feature-import', featureName: 'checkout' });
    expect(reason).toBe('The feature was updated from another server.');
    expect(findReasonAgainst(reordering, { type: 'feature-import', featureName: 'search' })).toBeUndefined();
  });

  test('of an order names as the reason that a strategy was added or deleted, or that the order changed', () => {
    const reasons = (['feature-strategy-add', 'feature-strategy-remove', 'strategy-order-changed'] as const).map(
      (type) => findReasonAgainst(reordering, { type, featureName: 'checkout' }),
    );
    expect(reasons).toEqual([
      'A strategy was added that is not in the approved order.',
      'A strategy of the approved order was deleted.',
      'The strategies were put in another order.',
    ]);
  });
});
