import { expect, test } from 'vitest';
import { sumTraffic } from '../../../../lib/console/settings/instance-words.ts';
import { splitLines } from '../../../../lib/console/words/split-lines.ts';

const day = (period: string, count: number, clientErrors = 0) => ({
  period,
  trafficTypes: [{ group: 'successful-requests' as const, count }],
  clientErrors,
  serverErrors: 0,
});

test('Calls are summed up by path, also for a path without any', () => {
  const summed = sumTraffic({
    grouping: 'daily',
    dateRange: { from: '2026-11-01', to: '2026-11-30' },
    apiData: [{ apiPath: '/api/client', dataPoints: [day('2026-11-28', 40, 2), day('2026-11-29', 2)] }],
  });
  expect(summed.map(({ path, calls, errors }) => [path, calls, errors])).toEqual([
    ['/api/client', 42, 2],
    ['/api/frontend', 0, 0],
    ['/api/admin', 0, 0],
  ]);
});

test('Entries are split at lines and commas, and each stays once', () => {
  expect(splitLines(' https://a.example\nhttps://b.example, https://a.example\n\n')).toEqual([
    'https://a.example',
    'https://b.example',
  ]);
});
