import { ApiError } from '../errors.ts';
import type { RequestCheck } from './middleware/state.ts';
import { segmentsOf } from './route-matcher.ts';

/** The path at which Unleash Enterprise streams changes to SDKs and Edge. */
const path = 'api/client/streaming';

/**
 * Refuses requests for a stream before the token is looked up, so that they cost no reads. After a 404, SDKs poll instead. After any
 * status except 401 and 403, Edge retries hundreds of times a second. Edge is recognised by its name, which Edge 20.1 sends, or by the
 * type, which later versions also send.
 */
export const refuseStreaming: RequestCheck = ({ event: { rawPath, headers } }) => {
  if (segmentsOf(rawPath).join('/').toLowerCase() !== path) return;
  if (headers['unleash-appname'] === 'unleash-edge' || headers['unleash-sdk-type'] === 'edge') {
    throw new ApiError('NoAccessError', 'Streaming is not supported; start Edge without --streaming.');
  }
  throw new ApiError('NotFoundError', 'Streaming is not supported; poll /api/client/features.');
};
