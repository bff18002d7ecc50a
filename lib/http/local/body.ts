import type { IncomingMessage } from 'node:http';
import { ApiError, invalid } from '../../errors.ts';

/** API Gateway's documented limit of a request. */
const bodyBytesMax = 10 * 1024 * 1024;

/** Smaller limits are the functions' own. */
const tooLarge = () =>
  new ApiError('ContentTooLarge', `The request body is too large; at most ${bodyBytesMax} bytes are read.`);

/**
 * The bytes of a request's body; undefined when it has none.
 * @throws ApiError 413 above API Gateway's limit, as soon as that is known, and 400 when the body breaks off.
 */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const { 'content-length': announced, 'transfer-encoding': chunked } = request.headers;
  if (announced === undefined && chunked === undefined) return undefined;
  if (Number(announced) > bodyBytesMax) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  await new Promise<void>((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bodyBytesMax) reject(tooLarge());
      else chunks.push(chunk);
    });
    request.once('end', resolve);
    request.once('error', () => reject(invalid('The request broke off.')));
  });
  return bytes === 0 ? undefined : Buffer.concat(chunks);
}
