import { Duration } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Metric, SearchExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { metricDimensions, type requestMetrics } from '../lib/http/metrics.ts';
import type { StoreTable } from './table.ts';

/** Over what each point is taken: API Gateway, Lambda and DynamoDB all have points of it. */
export const period = Duration.minutes(5);

/** A metric of the table. */
export function tableMetric({ tableName }: StoreTable, metricName: string, statistic: string): Metric {
  return new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap: { TableName: tableName },
    statistic,
    period,
  });
}

/** A metric of the API, of all its routes. */
export function apiMetric({ apiId }: HttpApi, metricName: string, statistic: string, label?: string): Metric {
  const dimensionsMap = { ApiId: apiId };
  return new Metric({
    namespace: 'AWS/ApiGateway',
    metricName,
    dimensionsMap,
    statistic,
    period,
    ...(label && { label }),
  });
}

/**
 * Metrics that the stack counts itself: requests that the API and the functions with a URL answered with 5xx, and those
 * that a function did not answer, of all functions.
 */
export type CountedMetric = 'serverErrors' | 'crashes';

export function buildCountMetric(namespace: string, metricName: CountedMetric): Metric {
  return new Metric({ namespace, metricName, statistic: 'Sum', period });
}

/**
 * A metric that the functions write, a line for each group of endpoints, or for each error that they name. A search
 * finds those of groups to come as well.
 */
export function ownMetrics(
  namespace: string,
  metricName: keyof typeof requestMetrics,
  statistic: string,
  by: keyof typeof metricDimensions = 'group',
): SearchExpression {
  return searchFor(`{${namespace},${metricDimensions[by]}} MetricName="${metricName}"`, statistic);
}

/** A metric of Lambda, a line for each function of a stack: CloudFormation lets their names begin with the stack's. */
export function functionMetrics(stackName: string, metricName: string, statistic: string): SearchExpression {
  return searchFor(`{AWS/Lambda,FunctionName} MetricName="${metricName}" FunctionName=${stackName}`, statistic);
}

function searchFor(term: string, statistic: string): SearchExpression {
  const expression = `SEARCH('${term}', '${statistic}', ${period.toSeconds()})`;
  return new SearchExpression({ expression, label: '', period });
}
