import { Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { StackSettings } from './settings.ts';

/**
 * Creates the topic of the alarms: it takes messages over TLS only, from CloudWatch of this account only, and sends
 * them to an address if one is given.
 */
export function createAlarmTopic(
  scope: Construct,
  id: string,
  { alarmEmail }: Pick<StackSettings, 'alarmEmail'>,
): Topic {
  const topic = new Topic(scope, id, { enforceSSL: true });
  Validations.of(topic).acknowledge({
    id: 'AwsSolutions-SNS2',
    reason:
      'Messages carry the names and texts of alarms, nothing that callers sent or stored, and are not kept once they ' +
      "are delivered. CloudWatch cannot publish to a topic under AWS's own key for topics, and a key of the account's " +
      'own would cost more a month than all else at rest.',
  });
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  );
  if (alarmEmail !== undefined) topic.addSubscription(new EmailSubscription(alarmEmail));
  return topic;
}
