import { join } from 'node:path';
import type { Program } from './fresh-process.ts';

/** Calls the function as Lambda does, checks the answer, and ends the process. */
const firstRequest = `
  const [file, method, path, authorization, wanted] = process.argv.slice(1);
  const { handler } = require(file);
  const event = {
    version: '2.0', routeKey: method + ' ' + path, rawPath: path, rawQueryString: '', isBase64Encoded: false,
    headers: { authorization }, requestContext: { requestId: 'bench', http: { method, path } },
  };
  handler(event, { awsRequestId: 'bench', getRemainingTimeInMillis: () => 29_000 }).then(({ statusCode, body }) => {
    const isWanted = wanted === undefined ? statusCode < 500 : statusCode === Number(wanted);
    if (!isWanted) console.error(statusCode, body);
    process.exit(isWanted ? 0 : 1);
  });
`;

/** The first request that a function gets. */
export interface FirstRequest {
  readonly method?: string;
  readonly path: string;
  readonly authorization: string;
  /** The status of its answer; any that is not an error of ours otherwise. */
  readonly status?: number;
}

/** The variables that Lambda sets, and the address of a store. */
export function environmentOfFunctions(store: { readonly endpoint: string; readonly table: string }) {
  return {
    TABLE_NAME: store.table,
    AWS_ENDPOINT_URL_DYNAMODB: store.endpoint,
    AWS_LAMBDA_FUNCTION_NAME: 'bench',
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_SESSION_TOKEN: 'session',
  };
}

/** The program of a fresh process that loads the bundle of a function and answers one request. */
export function coldStartOf(
  bundle: string,
  { method = 'GET', path, authorization, status }: FirstRequest,
  environment: Program['environment'],
): Program {
  const ends = status === undefined ? [] : [String(status)];
  return {
    name: `${method} ${path}${status === undefined ? '' : `: ${status}`}`,
    args: ['-e', firstRequest, bundle, method, path, authorization, ...ends],
    environment,
  };
}

/** The file of a function's bundle in the folder that all have been bundled into. */
export function bundleOf(directory: string, name: string): string {
  return join(directory, name, 'index.cjs');
}
