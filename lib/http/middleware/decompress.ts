import { gunzipSync } from 'node:zlib';
import { ApiError, invalid } from '../../errors.ts';
import type { Declaration } from '../declaration.ts';
import { bodyLimitOf } from '../limits.ts';
import type { Middleware } from './state.ts';

/** Unpacks a body that was compressed with gzip. It may not be longer than one that was not. */
export function decompress(declaration: Declaration): Middleware {
  return {
    before: function decompressBefore({ event }) {
      const { body, isBase64Encoded, headers } = event;
      if (headers['content-encoding']?.toLowerCase() !== 'gzip') return;
      const packed = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
      event.body = unpacked(packed, bodyLimitOf(declaration)).toString('base64');
      event.isBase64Encoded = true;
      const { 'content-encoding': _, ...others } = headers;
      event.headers = others;
    },
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
