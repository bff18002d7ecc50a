import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import * as registry from '../functions/index.ts';
import type { Endpoint } from '../lib/http/declaration.ts';
import { readSeed } from '../lib/seed/seed-data.ts';
import { freshService, type Service } from './harness/service.ts';
import { recordStoreRequests, type StoreRequestRecord } from './harness/store-requests.ts';

const strategy = { name: 'flexibleRollout' };
const feature = '/api/admin/projects/default/features/checkout';
const environment = `${feature}/environments/development`;
const saml = { entityId: 'e', signOnUrl: 'https://example.com', certificate: 'c' };
const imported = (name: string) => ({
  project: 'default',
  environment: 'development',
  data: {
    features: [{ name }],
    featureStrategies: [{ featureName: name, ...strategy }],
    featureEnvironments: [{ name, enabled: true }],
    tagTypes: [],
  },
});

/** Each operation once, as a caller would use it; the order matters, since one leaves what the next one finds. */
const calls: readonly [operation: string, call: (service: Service) => Promise<unknown>][] = [
  ['importToggles', ({ post }) => post('/api/admin/features-batch/import', imported('checkout'))],
  ['updateFeature', ({ put }) => put(feature, { description: 'new' })],
  ['addFeatureStrategy', ({ post }) => post(`${environment}/strategies`, strategy)],
  ['addTag', ({ post }) => post('/api/admin/features/checkout/tags', { value: 'blue' })],
  ['getEnvironmentFeatureVariants', ({ get }) => get(`${environment}/variants`)],
  ['getEventsForToggle', ({ get }) => get('/api/admin/events/checkout')],
  [
    'bulkToggleFeaturesEnvironmentOff',
    ({ post }) =>
      post('/api/admin/projects/default/bulk_features/environments/development/off', { features: ['checkout'] }),
  ],
  ['getArchivedFeaturesByProjectId', ({ get }) => get('/api/admin/archive/features/default')],
  [
    'addDefaultStrategyToProjectEnvironment',
    ({ post }) => post('/api/admin/projects/default/environments/development/default-strategy', strategy),
  ],
  [
    'addEnvironmentToProject',
    ({ post }) => post('/api/admin/projects/default/environments', { environment: 'staging' }),
  ],
  ['validateProject', ({ post }) => post('/api/admin/projects/validate', { id: 'other' })],
  ['getAllEnvironments', ({ get }) => get('/api/admin/environments')],
  ['getBaseUsersAndGroups', ({ get }) => get('/api/admin/user-admin/access')],
  ['setSamlSettings', ({ post }) => post('/api/admin/auth/saml/settings', saml)],
  ['getSamlSettings', ({ get }) => get('/api/admin/auth/saml/settings')],
  ['deleteAddon', ({ call }) => call('DELETE', '/api/admin/addons/1')],
];

/** `FEATURE#checkout ENVIRONMENT#development` is written as `FEATURE#{feature} ENVIRONMENT#{environment}`. */
function patternOf(target: string): string {
  const month = new Date().toISOString().slice(0, 7);
  return target
    .replace('#checkout', '#{feature}')
    .replace('PROJECT#default', 'PROJECT#{project}')
    .replace(/#(development|staging)/, '#{environment}')
    .replace(`EVENTS#${month}`, 'EVENTS#{month}')
    .replace(/ COUNTS#\d\d/, ' COUNTS#{shard}')
    .replace(/ ID#\d+/, ' ID#{segment}')
    .replace('STRATEGY_TYPES flexibleRollout', 'STRATEGY_TYPES {type}')
    .replace('TAG_TYPES simple', 'TAG_TYPES {type}')
    .replace('TAGS#simple blue', 'TAGS#{type} {value}')
    .replace('PROJECT#other', 'PROJECT#{project}')
    .replace(/ (unleash\.[a-z.]+)/, ' {setting}')
    .replace(/ \d{16}/, ' {id}');
}

function rowOf(operation: string, requests: readonly StoreRequestRecord[]): string {
  const waves = [...Map.groupBy(requests, ({ wave }) => wave).values()];
  const cells = waves.map((wave) =>
    wave.map(({ command, targets }) => `${command} \`${targets.map(patternOf).join(', ')}\``).join(' + '),
  );
  return `| ${operation} | ${cells[0]} | ${cells[1] ?? ''} | ${waves.length} |`;
}

describe('The access patterns', () => {
  const measured = new Map<string, StoreRequestRecord[]>();
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

  beforeAll(async () => {
    const service = await freshService(
      readSeed({ environments: [{ name: 'staging' }], addons: [{ id: 1, provider: 'webhook' }] }),
    );
    // Warm: the token is known from here on.
    await service.get('/api/admin/environments');
    for (const [operation, call] of calls) {
      measured.set(operation, await recordStoreRequests(service.table, () => call(service)));
    }
  });

  test('are told of every operation that asks the store', () => {
    const asking = Object.entries<Endpoint>(registry).filter(([, { declaration }]) => declaration.access !== 'none');
    expect(calls.map(([operation]) => operation).toSorted()).toEqual(asking.map(([operation]) => operation).toSorted());
  });

  test.each(calls.map(([operation]) => operation))('%s makes the requests that the README tells', (operation) => {
    expect(readme).toContain(rowOf(operation, measured.get(operation) ?? []));
  });

  test('no read may lag behind a write', () => {
    const reads = [...measured.values()].flat().filter(({ command }) => ['BatchGet', 'Query'].includes(command));
    expect(reads.length).toBeGreaterThan(10);
    expect(reads.filter(({ isConsistent }) => !isConsistent)).toEqual([]);
  });

  test('a read waits for the store once, a write twice', () => {
    for (const [operation, requests] of measured) {
      const waits = Math.max(...requests.map(({ wave }) => wave)) + 1;
      expect(waits, operation).toBe(requests.some(({ command }) => command === 'TransactWrite') ? 2 : 1);
    }
  });
});
