import { type BaseIssue, type GenericSchema, getDotPath, safeParse } from 'valibot';
import { type ErrorDetail, invalid, invalidRequest } from '../../errors.ts';
import type { Declaration } from '../declaration.ts';
import type { Middleware } from './state.ts';

/** A message quotes what was sent; more of a long text would not help anybody. */
const messageLengthMax = 300;

/** Answers 400 with every mistake in the path, the query and the body, and hands over what the schemas made of them. */
export function validate({ params, query, body }: Pick<Declaration, 'params' | 'query' | 'body'>): Middleware {
  return {
    before: function validateBefore({ event, context }) {
      const given = (event.pathParameters ?? {}) as Record<string, string>;
      for (const value of Object.values(given)) assertDecodable(value);
      const details: ErrorDetail[] = [];
      context.params = params ? parsed(params, given, details) : given;
      context.query = query && parsed(query, event.queryStringParameters ?? {}, details);
      // The parser before this one has replaced the text by what it stands for.
      context.body = body && parsed(body, event.body, details);
      if (details.length > 0) throw invalidRequest(details);
    },
  };
}

/** A bad percent escape arrives as it was sent, every other one decoded; no name contains one. */
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

/** What is wrong in one place, named the way a caller would look for it. */
export function toDetail(issue: BaseIssue<unknown>): ErrorDetail {
  // A schema speaks of a missing key as if undefined had been sent, which JSON cannot.
  const message = issue.received === 'undefined' ? 'This property is required.' : issue.message;
  const short = message.length > messageLengthMax ? `${message.slice(0, messageLengthMax)}…` : message;
  const path = getDotPath(issue);
  return path === null ? { message: short } : { message: short, path };
}
