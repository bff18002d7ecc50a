import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ApiError } from '../errors.ts';
import type { Middleware, RequestCheck } from './middleware/state.ts';
import { segmentsOf } from './route-matcher.ts';

/** The path at which SDKs and Edge ask for a stream of changes. */
const path = 'api/client/streaming';
/** The time after which an early Edge asks again, which is the longest that it waits. */
const retryMs = 30_000;

type RequestEvent = Pick<APIGatewayProxyEventV2, 'rawPath' | 'headers' | 'requestContext'>;

/** Refuses requests for a stream, in functions, before the token is looked up, so that they cost no reads. */
export const refuseStreaming: RequestCheck = ({ event }) => {
  if (isForStream(event)) throw refusalOf((name) => event.headers[name]);
};

/** Returns the refusal of a request for a stream. After a 404, SDKs poll instead. After a 403, Edge stops asking. */
export function refusalOf(header: (name: string) => string | undefined): ApiError {
  const name = header('unleash-sdk-type') === 'edge' ? 'NoAccessError' : 'NotFoundError';
  return new ApiError(name, 'Streaming is not supported; poll instead: start Edge without --streaming.');
}

/**
 * Replaces an error by a stream that ends after it, for an early Edge: after any error, Edge 20.1 asks again at once, thousands of
 * times a second; after the end of a stream, it waits. It writes the event that it does not know into its log.
 */
export function endRefusedStream(): Middleware {
  return {
    onError: function endRefusedStreamOnError(request) {
      const { event, response } = request;
      if (!isForStream(event) || !isEarlyEdge(event.headers)) return;
      request.response = {
        statusCode: 200,
        headers: { 'content-type': 'text/event-stream' },
        body: `retry: ${retryMs}\nevent: refused\ndata: ${response?.body}\n\n`,
      };
    },
  };
}

function isForStream({ rawPath, requestContext }: RequestEvent): boolean {
  return requestContext?.http?.method === 'GET' && segmentsOf(rawPath).join('/').toLowerCase() === path;
}

/** Recognizes an Edge that does not say its type yet. Its name is a setting, but unlike SDKs that stream, it does not name itself. */
function isEarlyEdge(headers: RequestEvent['headers']): boolean {
  return Boolean(headers['unleash-client-spec']) && !headers['unleash-sdk'] && !headers['unleash-sdk-type'];
}
