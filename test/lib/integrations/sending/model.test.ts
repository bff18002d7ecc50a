import { expect, test } from 'vitest';
import { storeEndpoint } from '../../../harness/store-endpoint.ts';
import { runModel } from '../../../prove/delivery/model.ts';

const calm = {
  features: 3,
  perFeature: 8,
  gap: 60,
  death: 0,
  lost: 0,
  failure: 0,
  outage: 0,
  poison: 0,
  widenedAfter: 0,
};

test.each([
  ['without troubles', calm],
  ['with lost notifications and a filter that is widened', { ...calm, lost: 0.3, widenedAfter: 200 }],
  [
    'with deaths, failures, an outage and bad events',
    { ...calm, lost: 0.15, death: 0.02, failure: 0.12, outage: 600, poison: 0.03, widenedAfter: 200 },
  ],
])(
  'Nothing is lost, out of order, given up wrongly or held up by others %s, and twice comes only what a dead process had under way',
  async (_, troubles) => {
    const counts = await runModel(storeEndpoint(), 7, troubles);
    expect(counts.events).toBe(24);
    expect(counts).toMatchObject({ missing: 0, inversions: 0, stale: 0, wronglyGivenUp: 0, heldUp: 0 });
    expect(counts.doubles).toBeLessThanOrEqual(counts.deaths);
  },
  120_000,
);
