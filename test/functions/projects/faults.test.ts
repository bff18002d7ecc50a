import { beforeEach, describe, expect, test, vi } from 'vitest';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { type Fault, withFault } from '../../harness/faults.ts';
import { changesNothing } from '../../harness/imports.ts';
import type { Reply, Service } from '../../harness/service.ts';
import { serviceEventsAddedBy } from '../../harness/service-events.ts';
import { serviceForEach } from '../../specifications/specify.ts';

const seed = readSeed({ environments: [{ name: 'staging' }], addons: [{ id: 1, provider: 'webhook' }] });
const environments = '/api/admin/projects/default/environments';
const saml = { entityId: 'entity', signOnUrl: 'https://idp.example.com', certificate: 'text' };

/** Changes that belong to no feature, and the events that each of them makes. */
const changes: [what: string, call: (service: Service) => Promise<Reply>, events: string[]][] = [
  [
    'adding an environment',
    (service) => service.post(environments, { environment: 'staging', defaultStrategy: { name: 'default' } }),
    ['project-environment-added', 'default-strategy-updated'],
  ],
  [
    'setting a default strategy everywhere',
    (service) => service.post(`${environments}/*/default-strategy`, { name: 'default' }),
    ['default-strategy-updated', 'default-strategy-updated'],
  ],
  ['storing SAML settings', (service) => service.post('/api/admin/auth/saml/settings', saml), ['setting-created']],
  ['deleting an addon', (service) => service.call('DELETE', '/api/admin/addons/1'), ['addon-config-deleted']],
];

const service = serviceForEach(seed);
beforeEach(async () => {
  // Pauses between repeats have a random length; none would be shorter than these.
  const pauses = vi.spyOn(Math, 'random').mockReturnValue(0);
  return () => pauses.mockRestore();
});

const request = 'TransactWriteItems';
const passing: Fault[] = [
  { request, failure: 'lost answer', times: 1 },
  { request, failure: 'conflict', times: 3 },
];
// That every other fault is survived, the strategies of a feature prove: all changes go through the same writes.
const lasting: Fault = { request, failure: 'throttled', times: 99 };

describe.each(changes)('%s', (_what, call, events) => {
  test.each(passing)('happens once, with its events, in spite of $times times $failure', async (fault) => {
    const added = await serviceEventsAddedBy(service.table, async () => {
      const [answer, hits] = await withFault(service.table, fault, () => call(service));
      expect(hits).toBe(fault.times);
      expect(answer).toMatchObject({ status: 200 });
    });
    expect(added.map(({ type }) => type)).toEqual(events);
  });

  test('is a 503 that writes nothing, and can be tried again, where the store does not recover', async () => {
    const cut = async () => (await withFault(service.table, lasting, () => call(service)))[0];
    const answer = await changesNothing(service, cut);
    expect(answer).toMatchObject({ status: 503, body: { name: 'ServiceUnavailable' } });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(await call(service)).toMatchObject({ status: 200 });
  });
});
