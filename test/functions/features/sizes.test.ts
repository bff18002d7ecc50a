import { beforeEach, expect, test, vi } from 'vitest';
import type { FeatureEnvironmentItem } from '../../../lib/features/items/stored-items.ts';
import * as featureKeys from '../../../lib/features/keys.ts';
import { itemBytes, itemBytesMax } from '../../../lib/store/item.ts';
import { readItem } from '../../../lib/store/read.ts';
import { sendImport } from '../../harness/imports.ts';
import { freshService, type Service } from '../../harness/service.ts';

let service: Service;
beforeEach(async () => {
  // With a higher limit for imports, a single change can be larger; other bodies never reach the size of an item.
  vi.stubEnv('IMPORT_BODY_LIMIT_BYTES', '1000000');
  service = await freshService();
});

const name = 'f'.repeat(60);

/** Imports a feature whose strategies take about a number of bytes; `padding` adds exact bytes. */
function importFeature(padding: number) {
  const values = Array.from({ length: 236 }, (_, index) => String(index).padStart(100, 'v'));
  const constraints = [{ contextName: 'userId', operator: 'IN', values }];
  const strategies = Array.from({ length: 16 }, () => ({ featureName: name, name: 'default', constraints }));
  const pads = [{ contextName: 'userId', operator: 'IN', values: valuesOf(padding) }];
  const featureStrategies = [...strategies, { featureName: name, name: 'default', constraints: pads }];
  return sendImport(service, { features: [{ name }], featureStrategies });
}

/** Builds at most 250 values of a total number of bytes. */
function valuesOf(bytes: number): string[] {
  const whole = Math.floor((bytes - 10) / 93);
  const rest = bytes - whole * 93 - 3;
  return [...Array.from({ length: whole }, (_, index) => String(index).padStart(90, 'p')), 'r'.repeat(rest)];
}

test('A feature of any size around the limit of the store is stored or refused, and never causes a 500', async () => {
  const start = 5_000;
  expect(await importFeature(start)).toMatchObject({ status: 200 });
  const key = featureKeys.featureEnvironment(name, 'development');
  const item = await readItem<FeatureEnvironmentItem>(service.table, key);
  const room = itemBytesMax - itemBytes({ ...key, ...item });
  for (const beyond of [-150, -117, -100, -50, -10, -1, 0, 1, 10, 100]) {
    const { status, body } = await importFeature(start + room + beyond);
    expect(status, `${beyond} ${body?.message}`).toBe(beyond <= 0 ? 200 : 400);
    if (status === 400) expect(body.message).toContain(`configuration of feature "${name}"`);
  }
});
