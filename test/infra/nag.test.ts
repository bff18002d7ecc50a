import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, test } from 'vitest';
import { synthesize } from './synthesize.ts';

const endpoint = {
  operationId: 'getOther',
  folder: 'others',
  declaration: { method: 'GET', path: '/others', group: 'Others', summary: 'Others.', responses: { 200: null } },
} as const;

test.each([
  ['as it is deployed by default', {}, undefined],
  ['for trying things on', { ephemeral: 'true' }, undefined],
  [
    'with all that can be chosen',
    {
      corsOrigins: 'https://a.example.com',
      domainName: 'flags.example.com',
      certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0123',
      alarmEmail: 'operator@example.com',
      reservedConcurrency: '5',
    },
    undefined,
  ],
  ['with a nested stack', {}, [endpoint]],
])("a stack %s breaks none of AWS's own rules", (_how, context, endpoints) => {
  const { app } = synthesize(context, endpoints);
  const { violations } = new AwsSolutionsChecks(app).validateScope(app);
  const told = violations.map(({ ruleName, violatingResources }) => [
    ruleName,
    ...violatingResources.map(({ constructPath }) => constructPath),
  ]);
  expect(told).toEqual([]);
});
