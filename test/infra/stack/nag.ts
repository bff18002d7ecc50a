import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, test } from 'vitest';
import { type Synthesized, synthesizeFew } from '../synthesize.ts';

const namesOfBroken = ({ app }: Synthesized) =>
  new AwsSolutionsChecks(app)
    .validateScope(app)
    .violations.map(({ ruleName, violatingResources }) => [
      ruleName,
      ...violatingResources.map(({ constructPath }) => constructPath),
    ]);

test.each([
  ['as it is deployed by default', {}],
  ['for trying things on', { ephemeral: 'true' }],
  [
    'with all that can be chosen',
    {
      corsOrigins: 'https://a.example.com',
      domainName: 'flags.example.com',
      certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0123',
      alarmEmail: 'operator@example.com',
      emailSender: 'flags@example.com',
      reservedConcurrency: '5',
    },
  ],
  ['on a restored table', { tableName: 'restored' }],
])("a stack %s breaks none of AWS's own rules", (_how, context) => {
  expect(namesOfBroken(synthesizeFew(context))).toEqual([]);
});
