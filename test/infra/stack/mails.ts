import { expect, test } from 'vitest';
import { functionOf } from '../../../infra/deployed-endpoints.ts';
import { deployedRoutes } from '../deployed-routes.ts';
import { synthesizeEndpoints } from '../synthesize.ts';
import { actionsOf, functionBehind, resourcesOf, statementsOf } from '../template.ts';

const parameter = '/flags/smtp';
const sending = deployedRoutes.filter(({ declaration }) => declaration.sendsMail);
const mailers = new Set(sending.map((each) => functionOf(each)));
const others = deployedRoutes.filter(({ folder }) => sending.some((each) => each.folder === folder));
const some = [...new Map([...sending, ...others].map((each) => [each.operationId, each])).values()];
const { whole } = synthesizeEndpoints(some, { emailSender: 'flags@example.com', smtpParameter: parameter });

test('with a mail server, the functions that send mails may read its parameter, and no other function may', () => {
  for (const each of some) {
    const actions = actionsOf(statementsOf(whole, functionBehind(whole, each.route)));
    const ofMails = actions.filter((action) => /^(ssm|kms|ses):/.test(action));
    const allowed = mailers.has(functionOf(each)) ? ['kms:Decrypt', 'ssm:GetParameter'] : [];
    expect(ofMails.toSorted(), each.route).toEqual(allowed);
  }
  expect(actionsOf(statementsOf(whole))).not.toContain('ses:SendEmail');
});

test('they may read and decrypt this parameter alone', () => {
  const statementsWith = (action: string) => statementsOf(whole).filter((each) => actionsOf([each]).includes(action));
  const arn = expect.objectContaining({ 'Fn::Join': ['', expect.arrayContaining([':parameter/flags/smtp'])] });
  for (const statement of statementsWith('ssm:GetParameter')) expect(statement).toMatchObject({ Resource: arn });
  for (const statement of statementsWith('kms:Decrypt')) {
    expect(statement).toMatchObject({
      Condition: {
        StringEquals: {
          'kms:ViaService': { 'Fn::Join': ['', ['ssm.', { Ref: 'AWS::Region' }, '.', { Ref: 'AWS::URLSuffix' }]] },
          'kms:EncryptionContext:PARAMETER_ARN': arn,
        },
      },
    });
  }
});

test('the functions that send mails know the name of the parameter, and the function of schedules does, too', () => {
  const functions = [...resourcesOf(whole, 'AWS::Lambda::Function').values()];
  const knowing = functions.filter(({ Properties }) => Properties.Environment?.Variables.SMTP_PARAMETER === parameter);
  expect(knowing).toHaveLength(mailers.size + 1);
  expect(knowing.map(({ Properties }) => Properties.Description)).toContain(
    'Applies scheduled change requests, and does other work that waits for its time.',
  );
});
