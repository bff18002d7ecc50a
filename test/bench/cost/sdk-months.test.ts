import { expect, test } from 'vitest';
import { containerMonth, functionMonth, gatewayDollars, monthlyTotal } from './sdk-months.ts';

const cost = { readUnitsOfCheck: 4, flags: 1_000, bytesOfAnswer: 72_000 };

test('Ten thousand instances cost some hundred dollars behind a URL, most of them for calls', () => {
  const month = functionMonth(10_000, cost);
  expect(monthlyTotal(month)).toBeLessThan(700);
  expect((month.calls ?? 0) / monthlyTotal(month)).toBeGreaterThan(0.5);
});

test('A gateway in front of the function costs more than three times as much as all of it', () => {
  for (const count of [1_000, 10_000]) {
    expect(gatewayDollars(count)).toBeGreaterThan(3 * monthlyTotal(functionMonth(count, cost)));
  }
});

test('From ten thousand instances on, containers cost a third of the function or less', () => {
  for (const count of [10_000, 100_000]) {
    expect(monthlyTotal(containerMonth(count, cost))).toBeLessThan(monthlyTotal(functionMonth(count, cost)) / 3);
  }
  expect(monthlyTotal(containerMonth(1_000, cost))).toBeGreaterThan(monthlyTotal(functionMonth(1_000, cost)));
});

test('What grows with the calls does, and what every process costs does not', () => {
  const [few, many] = [functionMonth(10_000, cost), functionMonth(100_000, cost)];
  expect((many.calls ?? 0) / (few.calls ?? 1)).toBeCloseTo(10);
  expect(containerMonth(100_000, cost).DynamoDB).toBe(containerMonth(10_000, cost).DynamoDB);
});

test('A team with 20 to 100 instances pays what the README says, behind the API and with URLs of functions', () => {
  const urls = [20, 100].map((count) => monthlyTotal(functionMonth(count, cost)));
  const api = [20, 100].map((count, index) => (urls[index] ?? 0) + gatewayDollars(count));
  expect([...api, ...urls].map((dollars) => dollars.toFixed(0))).toEqual(['11', '36', '6', '11']);
});
