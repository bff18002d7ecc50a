import { Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import type { StackSettings } from './settings.ts';

/** Lets a role send mails: through Amazon SES, or through the mail server whose address is in a parameter. */
export function allowMails(
  role: Role,
  { emailSender, smtpParameter }: Pick<StackSettings, 'emailSender' | 'smtpParameter'>,
): void {
  if (smtpParameter !== undefined) allowParameter(role, smtpParameter);
  else if (emailSender !== undefined) role.addToPolicy(mayMailAs(Stack.of(role), emailSender));
}

function allowParameter(role: Role, name: string): void {
  const stack = Stack.of(role);
  const arn = stack.formatArn({ service: 'ssm', resource: 'parameter', resourceName: name.slice(1) });
  role.addToPolicy(new PolicyStatement({ actions: ['ssm:GetParameter'], resources: [arn] }));
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:kms:<AWS::Region>:<AWS::AccountId>:key/*]',
    reason: 'The parameter names its key. The conditions allow decrypting this parameter alone.',
  });
  role.addToPolicy(
    new PolicyStatement({
      actions: ['kms:Decrypt'],
      resources: [stack.formatArn({ service: 'kms', resource: 'key', resourceName: '*' })],
      conditions: {
        StringEquals: {
          'kms:ViaService': `ssm.${stack.region}.${stack.urlSuffix}`,
          'kms:EncryptionContext:PARAMETER_ARN': arn,
        },
      },
    }),
  );
}

/** SES checks the permission for the verified identity: the address itself, or its domain. */
function mayMailAs(stack: Stack, sender: string): PolicyStatement {
  const identities = [sender, sender.slice(sender.lastIndexOf('@') + 1)];
  return new PolicyStatement({
    actions: ['ses:SendEmail'],
    resources: identities.map((resourceName) =>
      stack.formatArn({ service: 'ses', resource: 'identity', resourceName }),
    ),
    conditions: { StringEquals: { 'ses:FromAddress': sender } },
  });
}
