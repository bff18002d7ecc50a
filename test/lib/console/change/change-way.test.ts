import { expect, test } from 'vitest';
import { hasOverride, maySkipApproval, wayOf } from '../../../../lib/console/change/change-way.ts';
import type { ConsoleStart } from '../../../../lib/screens/start-schema.ts';

const minute = 60_000;
const at = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
const running = {
  ...{ id: 1, project: 'shop', environment: 'production', reason: 'Outage', createdBy: { id: 7, name: 'Ada' } },
  ...{ from: at(-minute), until: at(minute) },
};

/** Builds the data of a reader while an override runs. */
const startOf = (change: Partial<typeof running> = {}): ConsoleStart => ({
  ...{ user: { id: 7, name: 'Ada' }, permissions: [], projects: [], reviews: { waiting: 0, open: 0 }, banners: [] },
  ...{ overrides: [{ ...running, ...change }], isInMaintenance: false, adminsSkip: true, version: '1' },
});

test.each([
  ['their own', {}, true],
  ['that of somebody else', { createdBy: { id: 8, name: 'Jonas' } }, false],
  ['one of another project', { project: 'search' }, false],
  ['one of another environment', { environment: 'staging' }, false],
  ['one that begins later', { from: at(minute) }, false],
])('A reader overrides approval by %s', (_, change, isSo) => {
  expect(hasOverride(startOf(change), 'shop', 'production')).toBe(isSo);
});

const production = { flag: 'new-checkout', project: 'shop', environment: 'production', approvals: 2 };

test('Admins are asked for approval, and may choose to change without it', () => {
  const admin: ConsoleStart = { ...startOf(), overrides: [], permissions: [{ permission: 'ADMIN' }] };
  expect(wayOf(admin, production)).toBe('approval');
  expect(maySkipApproval(admin, production)).toBe(true);
  expect(maySkipApproval({ ...admin, adminsSkip: false }, production)).toBe(false);
  expect(maySkipApproval(admin, { ...production, approvals: undefined })).toBe(false);
  expect(maySkipApproval({ ...admin, permissions: [] }, production)).toBe(false);
});
