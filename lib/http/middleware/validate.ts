import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type GenericSchema, safeParse } from 'valibot';
import { type ErrorDetail, invalid, invalidRequest, toDetail } from '../../errors.ts';
import type { Declaration } from '../declaration.ts';
import type { RequestCheck } from './state.ts';

/** Answers 400 with all mistakes in the path, the query and the body, and passes on the parsed values. */
export function validate({
  params,
  freeText = [],
  query,
  repeated,
  body,
}: Pick<Declaration, 'params' | 'freeText' | 'query' | 'repeated' | 'body'>): RequestCheck {
  return ({ event, context }) => {
    const pathParameters = (event.pathParameters ?? {}) as Record<string, string>;
    for (const [name, value] of Object.entries(pathParameters)) if (!freeText.includes(name)) assertDecodable(value);
    const details: ErrorDetail[] = [];
    context.params = params ? parse(params, pathParameters, details) : pathParameters;
    context.query = query && parse(query, queryOf(event, repeated), details);
    // An earlier parser has replaced the text of the body with its value.
    context.body = body && parse(body, event.body, details);
    if (details.length > 0) throw invalidRequest(details);
  };
}

/** Returns the query parameters. API Gateway joins repeated ones with commas, which their values may contain themselves. */
function queryOf(
  { queryStringParameters = {}, rawQueryString }: APIGatewayProxyEventV2,
  repeated: readonly string[] = [],
): object {
  if (repeated.length === 0) return queryStringParameters;
  const all = new URLSearchParams(rawQueryString);
  const lists = repeated.flatMap((name) => {
    const values = [...all.getAll(name), ...all.getAll(`${name}[]`)];
    return values.length === 0 ? [] : [[name, values]];
  });
  return { ...queryStringParameters, ...Object.fromEntries(lists) };
}

/**
 * Refuses an invalid percent escape in a name. A gateway passes it on unchanged, but decodes valid ones, and no name contains a percent
 * sign. In free text, the two cannot be distinguished.
 */
export function assertDecodable(value: string): void {
  try {
    decodeURIComponent(value);
  } catch {
    throw invalid(`The path contains a bad percent escape: "${value.slice(0, 100)}".`);
  }
}

function parse(schema: GenericSchema, value: unknown, details: ErrorDetail[]): unknown {
  const result = safeParse(schema, value);
  if (!result.success) details.push(...result.issues.map(toDetail));
  return result.output;
}
