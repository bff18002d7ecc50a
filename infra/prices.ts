import type { StackSettings } from './settings.ts';

/** Prices of AWS in US dollars, in us-east-1 and without volume discounts; elsewhere they are up to a third higher. */
export const prices = {
  millionReadUnits: 0.125,
  millionWriteUnits: 0.625,
  millionGatewayRequests: 1,
  millionFunctionRequests: 0.2,
  gigabyteLogged: 0.5,
  /** For a month, in proportion to the hours in which it is reported. */
  customMetric: 0.3,
  /** To the internet, beyond what is free each month. */
  gigabyteSent: 0.09,
  gigabytesSentFree: 100,
  /** A load balancer, what it charges by use, and a public address. */
  balancerHour: 0.0225,
  balancerUnitHour: 0.008,
  addressHour: 0.005,
  /** Fargate on arm64. */
  containerProcessorHour: 0.03238,
  containerGigabyteHour: 0.00356,
};

/** Returns the price of a gigabyte of memory for a million milliseconds. */
export function millionGigabyteMilliseconds({ architecture }: Pick<StackSettings, 'architecture'>): number {
  return 1000 * (architecture === 'arm64' ? 0.0000133334 : 0.0000166667);
}

/** Prices of a resource for a month in which nobody uses it; storage comes on top. The first of some are free. */
export const monthlyPrices: Readonly<Record<string, { readonly each: number; readonly free?: number }>> = {
  // Each metric that an alarm looks at. Ten are free in every account, which are not counted here.
  'AWS::CloudWatch::Alarm': { each: 0.1 },
  'AWS::CloudWatch::Dashboard': { each: 3, free: 3 },
  'AWS::KMS::Key': { each: 1 },
  'AWS::SecretsManager::Secret': { each: 0.4 },
  'AWS::ApiGatewayV2::Api': { each: 0 },
  'AWS::ApiGatewayV2::ApiMapping': { each: 0 },
  'AWS::ApiGatewayV2::DomainName': { each: 0 },
  'AWS::ApiGatewayV2::Integration': { each: 0 },
  'AWS::ApiGatewayV2::Route': { each: 0 },
  'AWS::ApiGatewayV2::Stage': { each: 0 },
  'AWS::CloudFormation::Stack': { each: 0 },
  'AWS::DynamoDB::Table': { each: 0 },
  // A rule costs what it calls: at rest two functions a day, a fraction of a cent.
  'AWS::Events::Rule': { each: 0 },
  'AWS::IAM::Policy': { each: 0 },
  // Polling a stream of DynamoDB is free.
  'AWS::Lambda::EventSourceMapping': { each: 0 },
  'AWS::IAM::Role': { each: 0 },
  'AWS::Lambda::Function': { each: 0 },
  'AWS::Lambda::Permission': { each: 0 },
  'AWS::Lambda::Url': { each: 0 },
  'AWS::Logs::LogGroup': { each: 0 },
  'AWS::Logs::MetricFilter': { each: 0 },
  'AWS::SNS::Subscription': { each: 0 },
  'AWS::SNS::Topic': { each: 0 },
  'AWS::SNS::TopicPolicy': { each: 0 },
  'Custom::PreparedStore': { each: 0 },
};
