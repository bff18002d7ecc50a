import { expect, onTestFinished, test, vi } from 'vitest';
import { expirySecond, isAlive } from '../../../lib/values/expiry.ts';

test('Something expires in whole seconds after a time, and is alive until then', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 5_999 });
  onTestFinished(() => void vi.useRealTimers());
  expect([expirySecond(2), expirySecond(2, 7_000), expirySecond(2, new Date(7_999))]).toEqual([7, 9, 9]);
  const isAliveUntil = (expiresAtSeconds: number) => isAlive({ expiresAtSeconds });
  expect([isAliveUntil(6), isAliveUntil(5), isAlive({})]).toEqual([true, false, true]);
  vi.setSystemTime(6_000);
  expect(isAliveUntil(6)).toBe(false);
});
