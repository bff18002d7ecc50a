/** Prices of a resource for a month in which nobody uses it; storage comes on top. The first of some are free. */
const monthlyPrices: Readonly<Record<string, { readonly each: number; readonly free?: number }>> = {
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
  'AWS::S3::Bucket': { each: 0 },
  'AWS::S3::BucketPolicy': { each: 0 },
  'AWS::SNS::Subscription': { each: 0 },
  'AWS::SNS::Topic': { each: 0 },
  'AWS::SNS::TopicPolicy': { each: 0 },
  'Custom::PreparedStore': { each: 0 },
};

/** The most that the stack may cost in a month in which nobody calls it, in US dollars. */
export const atRestMax = 0.5;

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** Cost at rest of all resources of one type. */
export interface AtRest {
  readonly type: string;
  readonly count: number;
  readonly free: number;
  readonly each: number;
  readonly dollars: number;
}

/**
 * Returns the monthly cost of an idle stack by type of resource, the dearest first.
 * @throws Error for a type without a known price.
 */
export function atRest(resources: readonly Resource[]): AtRest[] {
  const rows = [...Map.groupBy(resources, ({ Type }) => Type)].map(([type, some]) => {
    const price = monthlyPrices[type];
    if (price === undefined) throw new Error(`test/bench/cost/at-rest.ts does not say what ${type} costs at rest.`);
    const { each, free = 0 } = price;
    const count = some.map(billedOf).reduce((sum, billed) => sum + billed);
    // In cents, since the sum is compared.
    return { type, count, free, each, dollars: (Math.max(0, count - free) * Math.round(each * 100)) / 100 };
  });
  return rows.toSorted((one, other) => other.dollars - one.dollars || other.each - one.each);
}

/** Returns the number of charges for a resource: an alarm is charged for each of its metrics. */
function billedOf({ Properties }: Resource): number {
  const metrics = Properties?.Metrics;
  return Array.isArray(metrics) ? metrics.filter((metric) => 'MetricStat' in metric).length : 1;
}

/** Returns the monthly cost of the whole stack. */
export function dollarsAtRest(rows: readonly AtRest[]): number {
  return Math.round(rows.reduce((sum, { dollars }) => sum + dollars * 100, 0)) / 100;
}
