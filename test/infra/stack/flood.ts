import { expect, test } from 'vitest';
import { boundsOf, floodHour, floodMax } from '../../bench/cost/flood.ts';
import { monthlyTotal } from '../../bench/cost/sdk-months.ts';
import { chosen, synthesize, synthesizeFew } from '../synthesize.ts';

test(`an hour of a flood costs at most $${floodMax} with default settings, all services taken together`, () => {
  expect(monthlyTotal(floodHour(boundsOf(synthesize().whole)))).toBeLessThanOrEqual(floodMax);
});

test('function URLs cost as much as their reserved concurrency allows, and lower limits cost less', () => {
  const calls = (context: object) => boundsOf(synthesizeFew({ ...context }).whole);
  expect(calls({}).urlCalls).toBe(0);
  expect(calls({ sdkConcurrency: '20' }).urlCalls).toBe(4_000);
  expect(monthlyTotal(floodHour(calls(chosen)))).toBeLessThan(monthlyTotal(floodHour(calls({}))));
});
