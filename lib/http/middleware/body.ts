import { isUtf8 } from 'node:buffer';
import { gunzipSync } from 'node:zlib';
import { ApiError, invalid } from '../../errors.ts';
import type { Declaration } from '../declaration.ts';
import { bodyLimitOf } from '../limits.ts';
import type { RequestCheck } from './state.ts';

/** Answers 413 to a body above the limit, before it is parsed. Exactly the limit passes. */
export function bodyLimit(declaration: Declaration): RequestCheck {
  return ({ event: { body, isBase64Encoded } }) => {
    const limit = bodyLimitOf(declaration);
    const bytes = Buffer.byteLength(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
    if (bytes > limit) {
      throw new ApiError('ContentTooLarge', `The request body exceeds the limit of ${limit} bytes.`);
    }
  };
}

/** Unpacks a body that was compressed with gzip. It may not be longer than one that was not. */
export function decompress(declaration: Declaration): RequestCheck {
  return ({ event }) => {
    const { body, isBase64Encoded, headers } = event;
    if (headers['content-encoding']?.toLowerCase() !== 'gzip') return;
    const packed = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
    event.body = unpacked(packed, bodyLimitOf(declaration)).toString('base64');
    event.isBase64Encoded = true;
    const { 'content-encoding': _, ...others } = headers;
    event.headers = others;
  };
}

function unpacked(packed: Buffer, maxOutputLength: number): Buffer {
  try {
    return gunzipSync(packed, { maxOutputLength });
  } catch (error) {
    if (error instanceof RangeError) {
      throw new ApiError('ContentTooLarge', `The request body exceeds the limit of ${maxOutputLength} bytes.`);
    }
    throw invalid('The body is not valid gzip.');
  }
}

/** Answers 415 to anything but JSON in UTF-8, sent as it is; the parser that follows would accept more than that. */
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

/** Tells whether a content type is JSON or a type based on it, such as `application/problem+json`. */
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
 * Parses the body of a report. A key such as `__proto__`, for which all other bodies are refused, is left out: an SDK
 * whose report is refused never reports again.
 */
export function reportParser(): RequestCheck {
  return ({ event }) => {
    const { body = '', isBase64Encoded } = event;
    const text = isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;
    // The parser before a schema leaves what the text stands for in its place.
    event.body = parsed(text) as string;
  };
}

function parsed(text: string): unknown {
  try {
    // Looking at each value takes several times as long as parsing.
    return mayHaveProto.test(text) ? JSON.parse(text, withoutProto) : JSON.parse(text);
  } catch {
    throw invalid('The request body is not valid JSON.');
  }
}

/** Pattern of a possible `__proto__`: letters of a key can be written as escapes. */
const mayHaveProto = /__proto__|\\u00[567]/i;

function withoutProto(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}

/** Reads the fields of a form; anything else is a 415. */
export function form(): RequestCheck {
  return ({ event: { headers, body = '', isBase64Encoded }, context }) => {
    if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers['content-type'] ?? '')) {
      throw new ApiError('ContentTypeerror', 'The content-type must be application/x-www-form-urlencoded.');
    }
    context.form = new URLSearchParams(isBase64Encoded ? Buffer.from(body, 'base64').toString() : body);
  };
}
