import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';

const endpointVariables = {
  email: 'AWS_ENDPOINT_URL_SESV2',
  events: 'AWS_ENDPOINT_URL_EVENTBRIDGE',
  kms: 'AWS_ENDPOINT_URL_KMS',
  s3: 'AWS_ENDPOINT_URL_S3',
  ssm: 'AWS_ENDPOINT_URL_SSM',
} as const;

/** Returns the address of a service of AWS. The environment can replace it, as for AWS's SDKs. */
export function awsAddress(
  service: keyof typeof endpointVariables,
  region = process.env.AWS_REGION ?? 'us-east-1',
): string {
  const endpoint = process.env[endpointVariables[service]] || process.env.AWS_ENDPOINT_URL;
  return endpoint || `https://${service}.${region}.amazonaws.com/`;
}

/** A request to a service of AWS. */
interface AwsRequest {
  /** The method; POST by default. */
  readonly method?: 'POST' | 'PUT';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Signs a request with the credentials of the function. Signatures are all that these services need of AWS's SDK.
 * @param region the region of the service; by default that of the function.
 * @returns the headers to send.
 */
export async function signForAws(
  service: string,
  { method = 'POST', url, headers, body }: AwsRequest,
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
    // S3 alone does not escape the path once more.
    uriEscapePath: service !== 's3',
  });
  const signed = await signer.sign({
    method,
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    headers: { host: url.host, ...headers },
    body,
  });
  const { host: _, ...signedHeaders } = signed.headers;
  return signedHeaders;
}
