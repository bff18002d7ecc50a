import { isUtf8 } from 'node:buffer';
import { ApiError, invalid } from '../../errors.ts';
import type { Declaration } from '../declaration.ts';
import type { Middleware } from './state.ts';

/** Answers 415 to anything but JSON in UTF-8, sent as it is; the parser that follows would accept more than that. */
export function contentType({ bodyType, bodyOptional }: Pick<Declaration, 'bodyType' | 'bodyOptional'>): Middleware {
  const types = ['application/json', ...(bodyType ? [bodyType] : [])];
  return {
    before: function contentTypeBefore({ event }) {
      const { headers, body, isBase64Encoded } = event;
      const sent = headers['content-type'];
      if (bodyOptional && sent === undefined && !body) {
        event.body = '{}';
        return;
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
    },
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
