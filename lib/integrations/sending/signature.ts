import { createHmac, createPrivateKey, type KeyObject, sign } from 'node:crypto';

/** The signed message, by Standard Webhooks, version 1. */
interface Signed {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string | Buffer;
}

/** The most secrets at the same time: a new one, an old one, and a spare one. */
const secretsMax = 3;
/** The bytes of a shared secret, as Standard Webhooks recommends. */
const secretBytes = { min: 24, max: 64 };
/** The DER of an Ed25519 private key in PKCS #8, before its 32 bytes. */
const ed25519Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

const findSecrets = (text: string) => text.split(/[\s,]+/).filter((secret) => secret !== '');
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Signs a message with each secret, so that receivers can replace theirs one after the other. @returns `webhook-signature`. */
export function signWebhook({ id, timestamp, body }: Signed, secrets: string): string {
  const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), Buffer.from(body)]);
  return findSecrets(secrets)
    .map((secret) => {
      if (secret.startsWith('whsk_')) return `v1a,${sign(null, content, privateKeyOf(secret)).toString('base64')}`;
      return `v1,${createHmac('sha256', bytesOf(secret)).update(content).digest('base64')}`;
    })
    .join(' ');
}

/** Returns the problem of signing secrets, without repeating them; undefined if there is none. */
export function findSecretProblem(text: string): string | undefined {
  const secrets = findSecrets(text);
  const isValid = (secret: string) => {
    const [, kind, rest = ''] = /^(whsec_|whsk_)(.*)$/.exec(secret) ?? [];
    if (kind === undefined || !base64.test(rest)) return false;
    const { length } = bytesOf(secret);
    return kind === 'whsk_' ? length === 32 || length === 64 : length >= secretBytes.min && length <= secretBytes.max;
  };
  if (secrets.length > 0 && secrets.length <= secretsMax && secrets.every(isValid)) return undefined;
  return (
    `must be one to ${secretsMax} secrets, separated by spaces, each "whsec_" and ${secretBytes.min} to ${secretBytes.max} ` +
    'bytes in base64: echo whsec_$(openssl rand -base64 32)'
  );
}

function bytesOf(secret: string): Buffer {
  return Buffer.from(secret.slice(secret.indexOf('_') + 1), 'base64');
}

/** Builds the private key of a secret, which is the seed, perhaps followed by the public key. */
function privateKeyOf(secret: string): KeyObject {
  const key = Buffer.concat([ed25519Prefix, bytesOf(secret).subarray(0, 32)]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}
