import { invalid } from '../../errors.ts';
import type { Middleware } from './state.ts';

/**
 * Parses the body of a report. A key such as `__proto__`, for which all other bodies are refused, is left out: an SDK
 * whose report is refused never reports again.
 */
export function reportParser(): Middleware {
  return {
    before: function reportParserBefore({ event }) {
      const { body = '', isBase64Encoded } = event;
      const text = isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;
      // The parser before a schema leaves what the text stands for in its place.
      event.body = parsed(text) as string;
    },
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
