import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, test } from 'vitest';
import { chosen, keeping, ofAccount, type Synthesized, synthesizeFew } from '../synthesize.ts';

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
  ['with all that can be chosen', chosen],
  ['on a restored table', { tableName: 'restored' }],
  ['with means of the account', ofAccount],
  ['with a bucket for checkpoints', keeping],
])("a stack %s breaks none of AWS's own rules", (_how, context) => {
  expect(namesOfBroken(synthesizeFew(context))).toEqual([]);
});
