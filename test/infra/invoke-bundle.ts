import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { logWatch } from '../harness/log-watch.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const run = promisify(execFile);

export interface BundleCall {
  readonly file: string;
  readonly method: string;
  readonly path: string;
  readonly pathParameters?: Readonly<Record<string, string>>;
  readonly authorization?: string;
  /** Content that is sent as JSON. */
  readonly body?: object;
  /** All that the function finds in its environment. */
  readonly environment: Record<string, string>;
}

export interface BundleReply {
  readonly statusCode: number;
  readonly body: string;
  /** The parts of Node that were loaded when the function was ready, before it was called. */
  readonly loaded: readonly string[];
  readonly parameters: number;
  /** The lines that it wrote meanwhile. */
  readonly logged: readonly Readonly<Record<string, unknown>>[];
}

const script = `
  const { file, event } = JSON.parse(process.argv[1]);
  const { handler } = require(file);
  const loaded = process.moduleLoadList;
  const context = { awsRequestId: event.requestContext.requestId, getRemainingTimeInMillis: () => 15_000 };
  handler(event, context).then(({ statusCode, body }) => {
    console.log(JSON.stringify({ statusCode, body, loaded, parameters: handler.length }));
  });
`;

/** Calls a bundle the way Lambda does: in a process of its own that finds no package but those inside the bundle. */
export async function invokeBundle(invocation: BundleCall): Promise<BundleReply> {
  const { file, method, path, pathParameters, authorization, body, environment } = invocation;
  const event = {
    version: '2.0',
    routeKey: `${method} ${path}`,
    rawPath: path,
    rawQueryString: '',
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    pathParameters,
    requestContext: { requestId: 'test', http: { method, path } },
    isBase64Encoded: false,
  };
  using folder = temporaryFolder();
  const { stdout, stderr } = await run(process.execPath, ['-e', script, JSON.stringify({ file, event })], {
    cwd: folder.path,
    env: { LOG_LEVEL: 'DEBUG', AWS_LAMBDA_FUNCTION_NAME: 'test', ...environment },
    maxBuffer: 16 * 1024 * 1024,
  });
  // The script's own line comes last; before it stands what the function has logged.
  const lines = stdout.trimEnd().split('\n');
  const answer = JSON.parse(lines.pop() ?? '') as BundleReply;
  logWatch.keepTexts([authorization, environment.AWS_SECRET_ACCESS_KEY, environment.AWS_SESSION_TOKEN]);
  logWatch.read([...lines, stderr].join('\n'));
  return { ...answer, logged: lines.map((line) => JSON.parse(line)) };
}
