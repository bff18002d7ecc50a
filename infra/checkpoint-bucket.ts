import { CfnOutput, Duration, Names, RemovalPolicy, type Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { BlockPublicAccess, Bucket, ObjectLockRetention } from 'aws-cdk-lib/aws-s3';
import { bucketPrefix } from '../lib/history/checkpoint-bucket.ts';

/**
 * Adds a bucket that keeps checkpoints of the history, and lets a function put them there. Until its days are over, nobody can alter or
 * delete a checkpoint, not even the owner of the account. So the bucket stays when the stack goes, also an ephemeral one.
 */
export function addCheckpointBucket(main: Stack, writer: LambdaFunction, days: number): void {
  const bucket = new Bucket(main, 'CheckpointBucket', {
    objectLockDefaultRetention: ObjectLockRetention.compliance(Duration.days(days)),
    versioned: true,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    enforceSSL: true,
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  });
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason: 'Checkpoints are no secret, and the lock protects them. A log of accesses would need another bucket.',
  });
  // The function is in another stack, to which the CDK hands the ARN in a parameter of this name.
  const parameter = `referenceto${Names.nodeUniqueId(bucket.node.findChild('Resource').node)}Arn`;
  Validations.of(main).acknowledge({
    id: `AwsSolutions-IAM5[Resource::<${parameter}>/${bucketPrefix}*]`,
    reason: 'The key of a checkpoint has its hash. The function may only add objects.',
  });
  writer.addToRolePolicy(
    new PolicyStatement({
      actions: ['s3:PutObject'],
      resources: [bucket.arnForObjects(`${bucketPrefix}*`)],
      // A later version of a checkpoint would hide the locked one.
      conditions: { Null: { 's3:if-none-match': 'false' } },
    }),
  );
  writer.addEnvironment('CHECKPOINT_BUCKET', bucket.bucketName);
  new CfnOutput(main, 'CheckpointBucketName', { value: bucket.bucketName });
}
