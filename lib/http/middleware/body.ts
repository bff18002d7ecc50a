import { isUtf8 } from 'node:buffer';
import { gunzipSync } from 'node:zlib';
import { ApiError, invalid } from '../../errors.ts';
import { countStepsIn, requestStepsMax, tooManyStepsMessage } from '../../values/expression-steps.ts';
import type { Declaration } from '../declaration.ts';
import { bodyLimitOf } from '../limits.ts';
import type { RequestCheck } from './state.ts';

/** Answers 413 to a body above the limit, before it is parsed. A body of exactly the limit is accepted. */
export function bodyLimit(declaration: Declaration): RequestCheck {
  return ({ event: { body, isBase64Encoded } }) => {
    const limit = bodyLimitOf(declaration);
    const bytes = Buffer.byteLength(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
    if (bytes > limit) {
      throw new ApiError('ContentTooLarge', `The request body exceeds the limit of ${limit} bytes.`);
    }
  };
}

/** Unpacks a gzip body. The limit applies to the unpacked body. */
export function decompress(declaration: Declaration): RequestCheck {
  return ({ event }) => {
    const { body, isBase64Encoded, headers } = event;
    if (headers['content-encoding']?.toLowerCase() !== 'gzip') return;
    const compressed = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
    event.body = unpack(compressed, bodyLimitOf(declaration)).toString('base64');
    event.isBase64Encoded = true;
    const { 'content-encoding': _, ...others } = headers;
    event.headers = others;
  };
}

function unpack(compressed: Buffer, maxOutputLength: number): Buffer {
  try {
    return gunzipSync(compressed, { maxOutputLength });
  } catch (error) {
    if (error instanceof RangeError) {
      throw new ApiError('ContentTooLarge', `The request body exceeds the limit of ${maxOutputLength} bytes.`);
    }
    throw invalid('The body is not valid gzip.');
  }
}

/** Answers 415 unless the body is uncompressed JSON in UTF-8; the parser that follows accepts more. */
export function contentType({ bodyType, bodyOptional }: Pick<Declaration, 'bodyType' | 'bodyOptional'>): RequestCheck {
  const types = ['application/json', ...(bodyType ? [bodyType] : [])];
  return ({ event }) => {
    const { headers, body, isBase64Encoded } = event;
    const sent = headers['content-type'];
    if (bodyOptional && !body) {
      event.body = '{}';
      if (sent === undefined) return;
    }
    if (!isOneOf(types, sent)) {
      const received = sent === undefined ? 'none' : `"${sent.slice(0, 100)}"`;
      throw new ApiError(
        'ContentTypeerror',
        `The content-type must be ${types.join(' or ')} in UTF-8; it was ${received}.`,
      );
    }
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
      throw new ApiError(
        'ContentTypeerror',
        `The body must not be compressed; its content-encoding was "${encoding.slice(0, 100)}".`,
      );
    }
    if (isBase64Encoded && !isUtf8(Buffer.from(body ?? '', 'base64'))) throw invalid('The body is not valid UTF-8.');
  };
}

/** Returns true for the content type of JSON, or a type based on it, such as `application/problem+json`. */
export function isJson(contentType: string | undefined): boolean {
  return /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType ?? '');
}

function isOneOf(types: readonly string[], contentType: string | undefined): boolean {
  const [type = '', ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  return types.includes(type) && (charset === undefined || /^"?utf-?8"?$/.test(charset));
}

/**
 * Limits the regular expressions in a body. The schemas compile each of them, for any caller, so all of them together are limited
 * first.
 */
export function expressionLimit(): RequestCheck {
  return ({ event }) => {
    const steps = countStepsIn(event.body);
    if (steps > requestStepsMax) throw invalid(tooManyStepsMessage('a request', steps, requestStepsMax));
  };
}

/**
 * Parses the body of a report. Keys such as `__proto__`, for which other bodies are refused, are removed: an SDK whose report is refused
 * never reports again.
 */
export function reportParser(): RequestCheck {
  return ({ event }) => {
    const { body = '', isBase64Encoded } = event;
    const text = isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;
    // The parser of other bodies also replaces the text with its value.
    event.body = parse(text) as string;
  };
}

function parse(text: string): unknown {
  try {
    // A reviver takes several times as long as parsing, so it is used only if necessary.
    return mayHaveProto.test(text) ? JSON.parse(text, withoutProto) : JSON.parse(text);
  } catch {
    throw invalid('The request body is not valid JSON.');
  }
}

/** Matches a possible `__proto__`, whose letters may be escaped. */
const mayHaveProto = /__proto__|\\u00[567]/i;

function withoutProto(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}

/** Parses a form. Anything else is a 415. */
export function form(): RequestCheck {
  return ({ event: { headers, body = '', isBase64Encoded }, context }) => {
    if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers['content-type'] ?? '')) {
      throw new ApiError('ContentTypeerror', 'The content-type must be application/x-www-form-urlencoded.');
    }
    context.form = new URLSearchParams(isBase64Encoded ? Buffer.from(body, 'base64').toString() : body);
  };
}
