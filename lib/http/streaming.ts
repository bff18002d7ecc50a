import { ApiError } from '../errors.ts';
import type { RequestCheck } from './middleware/state.ts';
import { segmentsOf } from './route-matcher.ts';

/** Path at which Unleash's Enterprise streams changes to SDKs and to Edge. */
const path = 'api/client/streaming';

/**
 * Refuses requests for a stream before the token is looked up, so that they cost nothing in the store. SDKs poll after a
 * 404. Edge asks again without a pause, hundreds of times a second, after anything but 401 and 403; it is known by its
 * name, as Edge 20.1 sends it, or by the type that later ones send besides.
 */
export const refuseStreaming: RequestCheck = ({ event: { rawPath, headers } }) => {
  if (segmentsOf(rawPath).join('/').toLowerCase() !== path) return;
  if (headers['unleash-appname'] === 'unleash-edge' || headers['unleash-sdk-type'] === 'edge') {
    throw new ApiError('NoAccessError', 'There is no streaming here; start Edge without --streaming.');
  }
  throw new ApiError('NotFoundError', 'There is no streaming here; poll /api/client/features.');
};
