import { Duration } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Metric, SearchExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { metricDimensions, type requestMetrics } from '../lib/http/metrics.ts';
import type { StoreTable } from './table.ts';

/** The period of each data point. API Gateway, Lambda and DynamoDB all support it. */
export const period = Duration.minutes(5);

/** Returns a metric of the table. */
export function buildTableMetric({ tableName }: StoreTable, metricName: string, statistic: string): Metric {
  return new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap: { TableName: tableName },
    statistic,
    period,
  });
}

/** Returns a metric of all routes of the API. */
export function buildApiMetric({ apiId }: HttpApi, metricName: string, statistic: string, label?: string): Metric {
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
 * Metrics that the stack's own filters count: requests that the API and the function URLs answered with 5xx, and calls of all
 * functions that failed without an answer.
 */
export type CountedMetric = 'serverErrors' | 'crashes';

export function buildCountMetric(namespace: string, metricName: CountedMetric): Metric {
  return new Metric({ namespace, metricName, statistic: 'Sum', period });
}

/**
 * Returns a metric that the functions write, with one line for each group of endpoints or for each error name. Since it is a
 * search, it includes groups that are added later.
 */
export function searchOwnMetrics(
  namespace: string,
  metricName: keyof typeof requestMetrics,
  statistic: string,
  by: keyof typeof metricDimensions = 'group',
): SearchExpression {
  return searchFor(`{${namespace},${metricDimensions[by]}} MetricName="${metricName}"`, statistic);
}

/** Returns a metric of Lambda, with one line for each function of a stack. CloudFormation begins their names with that of the stack. */
export function searchFunctionMetrics(stackName: string, metricName: string, statistic: string): SearchExpression {
  return searchFor(`{AWS/Lambda,FunctionName} MetricName="${metricName}" FunctionName=${stackName}`, statistic);
}

function searchFor(term: string, statistic: string): SearchExpression {
  const expression = `SEARCH('${term}', '${statistic}', ${period.toSeconds()})`;
  return new SearchExpression({ expression, label: '', period });
}
