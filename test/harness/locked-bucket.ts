import { text } from 'node:stream/consumers';
import { sha256 } from '../../lib/values/sha256.ts';
import { authorizationOf, signingEnvironment } from './aws-signature.ts';
import { listening } from './listening.ts';

/**
 * Stands for a bucket of S3 with Object Lock, in which a function may only put new objects under one prefix: it refuses a put without
 * the right signature, without the checksum that S3 wants for a lock, and without the condition that the object is new.
 */
export interface LockedBucket extends AsyncDisposable {
  /** The variables under which checkpoints are put there. */
  readonly environment: Readonly<Record<string, string>>;
  /** The objects by their keys. */
  readonly objects: Map<string, string>;
  /** The code with which S3 refuses every put; undefined to take them. */
  refusal: string | undefined;
  /** Makes the bucket keep objects without an answer, as if the caller or the connection died. */
  isCutOff: boolean;
}

const bucketName = 'flagstaff-checkpointbucket';

export async function openLockedBucket(): Promise<LockedBucket> {
  const server = await listening(async (request, response) => {
    const body = await text(request);
    const { authorization, ...headers } = request.headers;
    const [, key = ''] = new RegExp(`^/${bucketName}/(checkpoints/.+)$`).exec(request.url ?? '') ?? [];
    const refuse = (status: number, code: string) => {
      response.statusCode = status;
      response.end(`<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>No.</Message></Error>`);
    };
    const hasHash = headers['x-amz-content-sha256'] === sha256(body);
    const isSigned = hasHash && authorization === authorizationOf(request, body, 's3');
    if (!isSigned || request.method !== 'PUT') return refuse(403, 'SignatureDoesNotMatch');
    if (key === '' || headers['if-none-match'] !== '*') return refuse(403, 'AccessDenied');
    if (headers['x-amz-checksum-sha256'] !== sha256(body, 'base64')) return refuse(400, 'InvalidRequest');
    if (bucket.refusal !== undefined) return refuse(503, bucket.refusal);
    if (bucket.objects.has(key)) return refuse(412, 'PreconditionFailed');
    bucket.objects.set(key, body);
    if (bucket.isCutOff) response.destroy();
    response.end();
  });
  const bucket: LockedBucket = {
    ...server,
    environment: { ...signingEnvironment, AWS_ENDPOINT_URL_S3: server.url, CHECKPOINT_BUCKET: bucketName },
    objects: new Map(),
    refusal: undefined,
    isCutOff: false,
  };
  return bucket;
}
