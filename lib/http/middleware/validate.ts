import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type GenericSchema, safeParse } from 'valibot';
import { type ErrorDetail, invalid, invalidRequest, toDetail } from '../../errors.ts';
import type { Declaration } from '../declaration.ts';
import type { RequestCheck } from './state.ts';

/** Answers 400 with every mistake in the path, the query and the body, and passes on the parsed values. */
export function validate({
  params,
  freeText = [],
  query,
  repeated,
  body,
}: Pick<Declaration, 'params' | 'freeText' | 'query' | 'repeated' | 'body'>): RequestCheck {
  return ({ event, context }) => {
    const given = (event.pathParameters ?? {}) as Record<string, string>;
    for (const [name, value] of Object.entries(given)) if (!freeText.includes(name)) assertDecodable(value);
    const details: ErrorDetail[] = [];
    context.params = params ? parsed(params, given, details) : given;
    context.query = query && parsed(query, queryOf(event, repeated), details);
    // The parser before this one has replaced the text by what it stands for.
    context.body = body && parsed(body, event.body, details);
    if (details.length > 0) throw invalidRequest(details);
  };
}

/** API Gateway joins the values of a parameter that comes several times with commas, which they may hold themselves. */
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
 * Refuses a bad percent escape in a name. It arrives as it was sent, every other one decoded, and no name contains a
 * percent sign. In free text, the two look the same.
 */
export function assertDecodable(value: string): void {
  try {
    decodeURIComponent(value);
  } catch {
    throw invalid(`The path contains a bad percent escape: "${value.slice(0, 100)}".`);
  }
}

function parsed(schema: GenericSchema, value: unknown, details: ErrorDetail[]): unknown {
  const result = safeParse(schema, value);
  if (!result.success) details.push(...result.issues.map(toDetail));
  return result.output;
}
