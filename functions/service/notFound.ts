import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { unknownPath } from '../../lib/http/unknown-path.ts';

/** Answers what no route takes. It stands beside the registry, since it has neither a method nor a path. */
export const handler: (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2> = unknownPath();
