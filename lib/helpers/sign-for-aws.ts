import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';

const ownEndpoints = { email: 'AWS_ENDPOINT_URL_SESV2', events: 'AWS_ENDPOINT_URL_EVENTBRIDGE' } as const;

/** Returns the address of a service of AWS, or the one that AWS's SDKs take from the environment in its place. */
export function awsAddress(service: keyof typeof ownEndpoints, region = process.env.AWS_REGION ?? 'us-east-1'): string {
  const instead = process.env[ownEndpoints[service]] || process.env.AWS_ENDPOINT_URL;
  return instead || `https://${service}.${region}.amazonaws.com/`;
}

/** Request to a service of AWS. */
interface AwsRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Signs a POST with the identity of the function. The bundles of functions hold only the parts of the SDK that the client of
 * the table uses; other services need its signatures alone.
 * @param region that of the function where it is left out.
 * @returns the headers to send.
 */
export async function signForAws(
  service: string,
  { url, headers, body }: AwsRequest,
  region: string = process.env.AWS_REGION ?? 'us-east-1',
): Promise<Record<string, string>> {
  const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '', AWS_SESSION_TOKEN: sessionToken } = process.env;
  const signer = new SignatureV4({
    service,
    region,
    credentials: {
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      ...(sessionToken && { sessionToken }),
    },
    sha256: Hash.bind(null, 'sha256'),
  });
  const signed = await signer.sign({
    method: 'POST',
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    headers: { host: url.host, ...headers },
    body,
  });
  const { host: _, ...sent } = signed.headers;
  return sent;
}
