import { Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { StackSettings } from './settings.ts';

/**
 * Creates the topic of the alarms. It accepts messages over TLS only, and only from CloudWatch in this account. It sends them to
 * `alarmEmail` if that is set.
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
      'Messages contain the names and descriptions of alarms, no data of callers, and are not stored after ' +
      "delivery. CloudWatch cannot publish to a topic that is encrypted with AWS's own key, and a key of the " +
      'account would cost more a month than everything else at rest.',
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
