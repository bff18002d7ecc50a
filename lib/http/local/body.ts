import type { IncomingMessage } from 'node:http';
import { ApiError, invalid } from '../../errors.ts';

/** API Gateway's documented limit of a request. */
const gatewayBytesMax = 10 * 1024 * 1024;

/** Tells whether a request announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/**
 * Reads the bytes of a request's body; undefined if it is empty. Of a body of more than `bytesMax` bytes, the most that
 * any function accepts, it reads one byte more: that is enough for the function to refuse it as too large, once it has
 * authenticated the caller.
 * @throws ApiError 413 for a body that is announced with more than API Gateway takes, and 400 if the body breaks off.
 */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length']) > gatewayBytesMax) {
    throw new ApiError('ContentTooLarge', `The request body is too large; at most ${gatewayBytesMax} bytes are read.`);
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  await new Promise<void>((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= bytesMax) return;
      request.pause();
      resolve();
    });
    request.once('end', resolve);
    request.once('error', () => reject(invalid('The request was cut off.')));
  });
  return bytes === 0 ? undefined : Buffer.concat(chunks).subarray(0, bytesMax + 1);
}
