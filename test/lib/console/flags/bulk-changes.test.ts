import { describe, expect, test } from 'vitest';
import {
  describeDrafts,
  groupByProject,
  mayAllSkip,
  parseTag,
  planBulkArchive,
  planBulkSwitch,
  reasonAgainstBulk,
} from '../../../../lib/console/flags/bulk-changes.ts';
import type { ConsoleStart } from '../../../../lib/screens/start-schema.ts';

const readerWith = (permissions: ConsoleStart['permissions']) =>
  ({ user: { id: 1 }, permissions, overrides: [], isInMaintenance: false }) as unknown as ConsoleStart;

const flags = [
  { name: 'new-checkout', project: 'checkout' },
  { name: 'semantic-ranking', project: 'search' },
  { name: 'gift-cards', project: 'checkout' },
];
const groups = groupByProject(flags);

describe('A change of several flags', () => {
  test('is one request for each project', () => {
    expect(groups).toEqual([
      { project: 'checkout', features: ['new-checkout', 'gift-cards'] },
      { project: 'search', features: ['semantic-ranking'] },
    ]);
  });

  test('names the projects in which the reader may not make it', () => {
    const reader = readerWith([{ permission: 'UPDATE_FEATURE', project: 'search' }]);
    expect(reasonAgainstBulk(reader, groups, 'UPDATE_FEATURE', 'edit flags')).toBe(
      'Needs the permission to edit flags in checkout.',
    );
    expect(reasonAgainstBulk(reader, groups.slice(1), 'UPDATE_FEATURE', 'edit flags')).toBeUndefined();
  });

  test('asks for approval where a project wants it, and switches the others directly', () => {
    const reader = readerWith([{ permission: 'ADMIN' }]);
    const plan = planBulkSwitch(reader, groups, 'production', (project) => project === 'checkout');
    expect(plan.approval.map(({ project }) => project)).toEqual(['checkout']);
    expect(plan.direct.map(({ project }) => project)).toEqual(['search']);
  });

  test('needs no approval of a reader who may skip it', () => {
    const reader = readerWith([{ permission: 'SKIP_CHANGE_REQUEST', project: 'checkout', environment: 'production' }]);
    expect(planBulkSwitch(reader, groups, 'production', () => true).direct.map(({ project }) => project)).toEqual([
      'checkout',
    ]);
  });

  test('reads tags as the list writes them', () => {
    expect(parseTag('beta')).toEqual({ type: 'simple', value: 'beta' });
    expect(parseTag('team:shop:eu')).toEqual({ type: 'team', value: 'shop:eu' });
  });
});

describe('Archiving several flags', () => {
  const state = (name: string, enabled: boolean) => ({ name, enabled, hasStrategies: false, lastSeenAt: null });
  const listed = [
    { name: 'new-checkout', project: 'checkout', environments: [state('production', true)] },
    { name: 'gift-cards', project: 'checkout', environments: [state('development', true), state('production', false)] },
    { name: 'semantic-ranking', project: 'search', environments: [state('production', true)] },
  ];
  const isProtected = (project: string, environment: string) => project === 'checkout' && environment === 'production';

  test('needs approval for those that applications may get where changes need it', () => {
    const admin = { ...readerWith([{ permission: 'ADMIN' }]), adminsSkip: true };
    const plan = planBulkArchive(admin, listed, isProtected);
    expect(plan).toEqual({
      direct: [
        { project: 'checkout', features: ['gift-cards'] },
        { project: 'search', features: ['semantic-ranking'] },
      ],
      approval: [{ project: 'checkout', environment: 'production', features: ['new-checkout'] }],
    });
    expect(mayAllSkip(admin, plan.approval)).toBe(true);
    expect(mayAllSkip({ ...admin, adminsSkip: false }, plan.approval)).toBe(false);
    expect(mayAllSkip(admin, [])).toBe(false);
  });

  test('tells where the flags went that need approval', () => {
    expect(describeDrafts([], 0)).toBe('');
    expect(describeDrafts(groups, 1)).toBe('3 flags in 1 draft. Send it for review in Reviews');
    expect(describeDrafts(groups, 2)).toBe('3 flags in 2 drafts. Send them for review in Reviews');
  });
});
