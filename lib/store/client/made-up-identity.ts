import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

const accessKeyId = 'local';
const date = '20000101';

/**
 * An identity for a store that knows none. Its requests look signed, as far as such stores insist, but are not: nobody
 * could check a signature with a secret that exists nowhere else, and signing would be a fourth of a request's time.
 */
export function madeUpIdentity(region: string): Pick<DynamoDBClientConfig, 'credentials' | 'signer'> {
  const scope = `${accessKeyId}/${date}/${region}/dynamodb/aws4_request`;
  const headers = {
    authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0`,
    'x-amz-date': `${date}T000000Z`,
  };
  return {
    credentials: { accessKeyId, secretAccessKey: 'local' },
    signer: {
      async sign(request) {
        Object.assign(request.headers, headers);
        return request;
      },
    },
  };
}
