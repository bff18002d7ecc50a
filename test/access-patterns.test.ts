import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import * as registry from '../functions/index.ts';
import type { Endpoint } from '../lib/http/declaration.ts';
import { freshService } from './harness/service.ts';
import { recordStoreRequests, type StoreRequestRecord } from './harness/store-requests.ts';
import { make, typicalCalls, typicalSeed } from './harness/typical-calls.ts';

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
    const service = await freshService(typicalSeed);
    // Warm: the token is known from here on.
    await service.get('/api/admin/environments');
    for (const call of typicalCalls) {
      measured.set(call.operation, await recordStoreRequests(service.table, () => make(service, call)));
    }
  });

  test('are told of every operation that asks the store', () => {
    const asking = Object.entries<Endpoint>(registry).filter(([, { declaration }]) => declaration.rights !== 'none');
    expect(typicalCalls.map(({ operation }) => operation).toSorted()).toEqual(
      asking.map(([operation]) => operation).toSorted(),
    );
  });

  test.each(typicalCalls.map(({ operation }) => operation))(
    '%s makes the requests that the README tells',
    (operation) => {
      expect(readme).toContain(rowOf(operation, measured.get(operation) ?? []));
    },
  );

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
