import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { text } from 'node:stream/consumers';
import { loadConfig, NODE_REGION_CONFIG_FILE_OPTIONS, NODE_REGION_CONFIG_OPTIONS } from '@smithy/core/config';
import type { HttpRequest } from '@smithy/core/protocols';
import { isClockSkewError } from '@smithy/core/retry';
import { Hash } from '@smithy/core/serde';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import type { SdkError } from '@smithy/types';
import { isJsonObject, type JsonObject } from '../../values/json.ts';
import { exceptionOf } from './exceptions.ts';
import type { Transport } from './operations.ts';

/**
 * DynamoDB usually answers within milliseconds. After this time the response is considered lost, for example because of a dead
 * connection. Six attempts still end before API Gateway's timeout of 30 seconds.
 */
const timeoutMs = 3_000;

/** AWS refuses a signature if the clocks differ by five minutes. */
const toleratedSkewMs = 4 * 60_000;

/** Connections are kept alive, because a new connection takes longer than a request. */
const handler = new NodeHttpHandler({
  httpAgent: new HttpAgent({ keepAlive: true, maxSockets: 128 }),
  httpsAgent: new HttpsAgent({ keepAlive: true, maxSockets: 128 }),
  connectionTimeout: timeoutMs,
  requestTimeout: timeoutMs,
  // Otherwise a timeout is only logged.
  throwOnRequestTimeout: true,
  // The request timeout ends with the first byte of the response, this one with the last.
  socketTimeout: timeoutMs,
});

/** Tells whether an address is one of AWS, where requests cost money and need real credentials. */
export function isAwsEndpoint(endpoint: string): boolean {
  return /\.(amazonaws\.com|amazonaws\.com\.cn|api\.aws)$/i.test(URL.parse(endpoint)?.hostname ?? '');
}

/** A connection to a store: the address of its requests, and their signer. */
interface Connection {
  readonly url: URL;
  readonly signer: SignatureV4;
}

async function connect(endpoint: string | undefined): Promise<Connection> {
  const { AWS_REGION = 'us-east-1', AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL } = process.env;
  const isLocal = endpoint !== undefined && !isAwsEndpoint(endpoint);
  const region = isLocal ? AWS_REGION : await loadConfig(NODE_REGION_CONFIG_OPTIONS, NODE_REGION_CONFIG_FILE_OPTIONS)();
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const address = endpoint || AWS_ENDPOINT_URL_DYNAMODB || AWS_ENDPOINT_URL || `https://dynamodb.${region}.${domain}`;
  const credentials = credentialsFromEnvironment() ?? (isLocal ? localCredentials : await loadCredentialChain());
  return {
    url: new URL(address),
    signer: new SignatureV4({ service: 'dynamodb', region, credentials, sha256: Hash.bind(null, 'sha256') }),
  };
}

/** Stores other than DynamoDB at AWS accept any credentials. */
const localCredentials = { accessKeyId: 'local', secretAccessKey: 'local' };

/** Returns the credentials in the environment variables, where Lambda provides them. */
function credentialsFromEnvironment() {
  const { AWS_PROFILE, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = process.env;
  const { AWS_SESSION_TOKEN: sessionToken } = process.env;
  if (AWS_PROFILE || !accessKeyId || !secretAccessKey) return undefined;
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}

/** Loads AWS's credential provider chain, which reads profiles and the like, and renews expired credentials. */
async function loadCredentialChain() {
  const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
  return defaultProvider();
}

/**
 * Returns a transport to DynamoDB or a compatible store. The protocol is a signed POST of JSON. AWS's SDK sends the same requests,
 * but takes 1.5 times the processor time and would be half of each function's bundle.
 * @param endpoint the address of the store; undefined for DynamoDB in the region of the process.
 */
export function createNetworkTransport(endpoint: string | undefined): Transport {
  const connection = connect(endpoint);
  // A failure is reported by the first request.
  connection.catch(() => {});
  let clockSkewMs = 0;

  return async (operation, input, { signal }) => {
    const { url, signer } = await connection;
    const body = JSON.stringify(input);
    const signed = await signer.sign(requestTo(url, operation, body), {
      signingDate: new Date(Date.now() + clockSkewMs),
    });
    const { response } = await handler.handle(signed as HttpRequest, signal && { abortSignal: signal });
    const { statusCode } = response;
    const answer = parseObject(await text(response.body));
    if (statusCode === 200 && answer !== undefined) return answer;
    const error = exceptionOf(
      statusCode,
      answer ?? { message: `The store answered ${statusCode} without a JSON object.` },
    );
    // A proxy answered, or the store in part. It may have carried the request out: a retry with the same token tells.
    if (answer === undefined || statusCode === 408) throw Object.assign(error, { $retryable: {} });
    if (!isClockSkewError(error as SdkError)) throw error;
    const skewMs = Date.parse(response.headers.date ?? '') - Date.now();
    if (!(Math.abs(skewMs - clockSkewMs) > toleratedSkewMs)) throw error;
    // The clock of this machine is wrong. The next attempt is signed with the time of the store.
    clockSkewMs = skewMs;
    throw Object.assign(error, { $retryable: {} });
  };
}

function requestTo({ protocol, host, hostname, port, pathname }: URL, operation: string, body: string) {
  return {
    method: 'POST',
    protocol,
    hostname,
    ...(port !== '' && { port: Number(port) }),
    path: pathname,
    headers: {
      host,
      'content-type': 'application/x-amz-json-1.0',
      'content-length': String(Buffer.byteLength(body)),
      'x-amz-target': `DynamoDB_20120810.${operation}`,
    },
    body,
  };
}

/** Parses a JSON object; returns undefined for any other text, such as the page of a proxy. */
function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Closes the idle connections to all stores. */
export const closeConnections = () => handler.destroy();
