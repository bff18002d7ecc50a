import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { allowOn } from './allow.ts';
import type { Endpoint, LambdaHandler } from './declaration.ts';
import { fallback } from './fallback.ts';

interface Member {
  readonly handler: Endpoint;
  readonly segments: readonly string[];
}

/**
 * One function for several endpoints, behind a gateway or a URL of its own: SDKs know one address, and what one of them has
 * brought into memory serves the others. What none of them takes is answered as everywhere else.
 */
export function joined(endpoints: readonly Endpoint[]): LambdaHandler {
  const declarations = endpoints.map(({ declaration }) => declaration);
  const otherwise = fallback(async (path) => allowOn(path, declarations));
  const members = endpoints
    .map((handler): Member => ({ handler, segments: handler.declaration.path.split('/') }))
    // A segment that is named counts more than a variable.
    .toSorted((a, b) => variablesIn(a) - variablesIn(b));
  return (event, context) => {
    const method = event.requestContext?.http?.method ?? 'GET';
    const sent = event.rawPath.split('/').map(decoded);
    for (const { handler, segments } of members) {
      if (handler.declaration.method !== (method === 'HEAD' ? 'GET' : method)) continue;
      const pathParameters = parametersOf(segments, sent);
      if (pathParameters !== undefined) return handler(withParameters(event, pathParameters), context);
    }
    return otherwise(event, context);
  };
}

const isVariable = (segment: string) => segment.startsWith('{');
const variablesIn = ({ segments }: Member) => segments.filter(isVariable).length;

/** The variables of a path, if it takes what was sent. */
function parametersOf(segments: readonly string[], sent: readonly string[]): Record<string, string> | undefined {
  if (segments.length !== sent.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const value = sent[index] ?? '';
    if (isVariable(segment) ? value === '' : segment !== value) return undefined;
    if (isVariable(segment)) parameters[segment.slice(1, -1)] = value;
  }
  return parameters;
}

function withParameters(event: APIGatewayProxyEventV2, pathParameters: Record<string, string>): APIGatewayProxyEventV2 {
  return Object.keys(pathParameters).length === 0 ? event : { ...event, pathParameters };
}

/**
 * Unlike API Gateway, the URL of a function hands over the path as it was sent. A bad escape is left for the endpoint to
 * refuse.
 */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
