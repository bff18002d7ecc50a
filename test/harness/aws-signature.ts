import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const secret = 'a key of this test';

/** The variables with which requests are signed so that `authorizationOf` agrees. */
export const signingEnvironment = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'AKIDTEST',
  AWS_SECRET_ACCESS_KEY: secret,
  AWS_SESSION_TOKEN: 'a session',
} as const;

/** The right header of a request to a service, by the description of Signature Version 4. */
export function authorizationOf({ method, url, headers }: IncomingMessage, body: string, service: string): string {
  const [, signed = ''] = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '') ?? [];
  const hash = (data: string) => createHash('sha256').update(data).digest('hex');
  const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest();
  const lines = signed.split(';').map((name) => `${name}:${headers[name]}\n`);
  const canonical = [method, url, '', lines.join(''), signed, hash(body)].join('\n');
  const at = String(headers['x-amz-date']);
  const scope = `${at.slice(0, 8)}/eu-central-1/${service}/aws4_request`;
  const key = scope.split('/').reduce<string | Buffer>((before, part) => hmac(before, part), `AWS4${secret}`);
  const signature = hmac(key, ['AWS4-HMAC-SHA256', at, scope, hash(canonical)].join('\n')).toString('hex');
  return `AWS4-HMAC-SHA256 Credential=AKIDTEST/${scope}, SignedHeaders=${signed}, Signature=${signature}`;
}
