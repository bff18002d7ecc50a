import { expect, test } from 'vitest';
import { groupApplications } from '../../../../lib/console/flag/group-applications.ts';

test('An application stands once, with its SDKs and where it runs', () => {
  const node = 'unleash-client-node:6.12.1';
  const applications = [
    { name: 'worker', environment: 'production', instances: 0, calls: 50 },
    { name: 'shop', environment: 'production', sdk: node, instances: 3, calls: 40 },
    { name: 'shop', environment: 'development', sdk: node, instances: 1, calls: 20 },
  ];
  expect(groupApplications(applications)).toEqual([
    {
      name: 'shop',
      calls: 60,
      sdks: ['unleash-client-node 6.12.1'],
      environments: [
        { environment: 'production', instances: 3 },
        { environment: 'development', instances: 1 },
      ],
    },
    { name: 'worker', calls: 50, sdks: [], environments: [{ environment: 'production', instances: 0 }] },
  ]);
});
