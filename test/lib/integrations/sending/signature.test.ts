import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { findSecretProblem, signWebhook } from '../../../../lib/integrations/sending/signature.ts';

const secret = (byte: number, length = 32) => `whsec_${Buffer.alloc(length, byte).toString('base64')}`;
const body = '{"type":"feature-created","name":"Prüfung"}';
const timestamp = Math.floor(Date.now() / 1000);
const headersWith = (signature: string) => ({
  'webhook-id': 'ev_a_1',
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signature,
});

test("The standard's own verifier accepts a signature by each of the secrets, and none of a changed body", () => {
  const signature = signWebhook({ id: 'ev_a_1', timestamp, body }, `${secret(1)} ${secret(2)}`);
  for (const each of [secret(1), secret(2)]) {
    expect(new Webhook(each).verify(body, headersWith(signature))).toEqual(JSON.parse(body));
    expect(() => new Webhook(each).verify(body.replace('P', 'Q'), headersWith(signature))).toThrow();
  }
  expect(() => new Webhook(secret(3)).verify(body, headersWith(signature))).toThrow();
});

test('A private key signs with Ed25519', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
  const signature = signWebhook({ id: 'ev_a_1', timestamp, body }, `whsk_${seed.toString('base64')}`);
  expect(signature).toMatch(/^v1a,/);
  const content = Buffer.from(`ev_a_1.${timestamp}.${body}`);
  expect(verify(null, content, createPublicKey(privateKey), Buffer.from(signature.slice(4), 'base64'))).toBe(true);
});

test.each([
  [secret(1), true],
  [`${secret(1)}, ${secret(2)}\n${secret(3)}`, true],
  [[1, 2, 3, 4].map((each) => secret(each)).join(' '), false],
  [secret(1, 23), false],
  [secret(1, 65), false],
  ['whsec_not base64', false],
  ['secret', false],
  ['', false],
])('The secrets %j are taken: %s', (text, isGood) => {
  const problem = findSecretProblem(text);
  expect(problem === undefined).toBe(isGood);
  expect(problem ?? '').not.toMatch(/AQEB/);
});
