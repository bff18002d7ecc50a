import { Duration } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Metric, SearchExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { metricDimensions, metricsNamespace, type requestMetrics } from '../lib/http/metrics.ts';

/** Over what each point is taken: API Gateway, Lambda and DynamoDB all have points of it. */
export const period = Duration.minutes(5);

/** A metric of Lambda, of one function, or of all that the account has in the region. */
export function lambdaMetric(metricName: string, statistic: string, handler?: IFunction): Metric {
  const dimensionsMap = handler && { FunctionName: handler.functionName };
  return new Metric({
    namespace: 'AWS/Lambda',
    metricName,
    statistic,
    period,
    ...(dimensionsMap && { dimensionsMap }),
  });
}

/** A metric of the table. */
export function tableMetric({ tableName }: Table, metricName: string, statistic: string): Metric {
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
 * A metric that the functions write, a line for each operation, or for each error that they name. A search finds those
 * of endpoints to come as well.
 */
export function ownMetrics(
  metricName: keyof typeof requestMetrics,
  statistic: string,
  by: keyof typeof metricDimensions = 'operation',
): SearchExpression {
  return searchFor(`{${metricsNamespace},${metricDimensions[by]}} MetricName="${metricName}"`, statistic);
}

/** A metric of Lambda, a line for each function of a stack: CloudFormation lets their names begin with the stack's. */
export function functionMetrics(stackName: string, metricName: string, statistic: string): SearchExpression {
  return searchFor(`{AWS/Lambda,FunctionName} MetricName="${metricName}" FunctionName=${stackName}`, statistic);
}

function searchFor(term: string, statistic: string): SearchExpression {
  const expression = `SEARCH('${term}', '${statistic}', ${period.toSeconds()})`;
  return new SearchExpression({ expression, label: '', period });
}
