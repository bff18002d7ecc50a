import { ApiError } from '../errors.ts';
import type { RequestCheck } from './middleware/state.ts';
import { segmentsOf } from './route-matcher.ts';

/** The path at which SDKs and Edge ask for a stream of changes. */
const path = 'api/client/streaming';

/** Refuses requests for a stream, in functions, before the token is looked up, so that they cost no reads. */
export const refuseStreaming: RequestCheck = ({ event: { rawPath, headers, requestContext } }) => {
  if (requestContext?.http?.method !== 'GET') return;
  if (segmentsOf(rawPath).join('/').toLowerCase() === path) throw refusalOf((name) => headers[name]);
};

/**
 * Returns the refusal of a request for a stream. After a 404, SDKs poll instead. After any status except 401 and 403, Edge retries
 * hundreds of times a second. Edge is recognised by its name, which Edge 20.1 sends, or by the type, which later versions also send.
 */
export function refusalOf(header: (name: string) => string | undefined): ApiError {
  return header('unleash-appname') === 'unleash-edge' || header('unleash-sdk-type') === 'edge'
    ? new ApiError('NoAccessError', 'Streaming is not supported; start Edge without --streaming.')
    : new ApiError('NotFoundError', 'Streaming is not supported; poll /api/client/features.');
}
