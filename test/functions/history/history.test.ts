import { execFileSync } from 'node:child_process';
import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, vi } from 'vitest';
import { clockWork } from '../../../lib/clock/clock.ts';
import { hasSignatureOf, signCheckpoint } from '../../../lib/history/checkpoint.ts';
import { createCheckpointKey, openPrivateKey } from '../../../lib/history/signers/sign-by-private-key.ts';
import { useCheckpointSigner } from '../../../lib/history/signers/signer.ts';
import { endlessTime } from '../../../lib/values/time-budget.ts';
import { authorizationOf, signingEnvironment } from '../../harness/aws-signature.ts';
import { newTokenOf } from '../../harness/features.ts';
import { addImportedEvents } from '../../harness/imported-events.ts';
import { listening } from '../../harness/listening.ts';
import { sealNow } from '../../harness/seal-now.ts';
import type { Service } from '../../harness/service.ts';
import { recordStoreRequests } from '../../harness/store-requests.ts';
import { folderInTest } from '../../harness/test-folder.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('getHistoryCheckpoints', {
  route: 'GET /api/admin/history/checkpoints',
  may: 'any token',
});

specify('getEventProof', {
  route: 'GET /api/admin/history/proof',
  may: 'any token',
  request: async (world) => {
    const { name } = await world.feature();
    const { body } = await world.service.call('GET', `/api/admin/events/${name}`);
    const [{ id }] = (body as { events: [{ id: number }] }).events;
    return { query: { id } };
  },
  // The event is looked up and read, then the seals, and then the later changes of the feature.
  waits: 5,
});

const verifier = fileURLToPath(new URL('../../../lib/history/verifier.mjs', import.meta.url));

/** Runs the verifier of one file on documents, and returns its output. */
function runVerifier(documents: readonly unknown[], key?: string): string {
  const folder = folderInTest();
  const write = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const files = documents.map((document, index) => write(`${index}.json`, JSON.stringify(document)));
  const keyFile = key === undefined ? [] : ['--key', write('key.pem', key)];
  return execFileSync(process.execPath, [verifier, ...files, ...keyFile], { encoding: 'utf8' });
}

/** Lets the clock make seals as of some minutes from now. */
const seal = (service: Service, minutes: number) =>
  clockWork
    .find(({ name }) => name === 'seals')
    ?.run(service.table, new Date(Date.now() + minutes * 60_000), endlessTime);

interface ListedEvent {
  readonly id: number;
  readonly createdAt: string;
  readonly type: string;
  readonly data: unknown;
}
const newest = async (service: Service): Promise<ListedEvent[]> => (await service.get('/api/admin/events')).body.events;
const checkpointsOf = async (service: Service) => (await service.get('/api/admin/history/checkpoints')).body;
const proofOf = async (service: Service, event: ListedEvent | undefined, more = '') =>
  (await service.get(`/api/admin/history/proof?id=${event?.id}&createdAt=${event?.createdAt}${more}`)).body;

const signer = openPrivateKey(createCheckpointKey());
afterEach(() => useCheckpointSigner());

describe('The clock', () => {
  test('signs a checkpoint of each new seal, with an event, which needs no seal of its own', async ({ service }) => {
    useCheckpointSigner(signer);
    await seal(service, 3);
    await seal(service, 14);
    await seal(service, 25);
    const { checkpoints, keys } = await checkpointsOf(service);
    expect(checkpoints).toHaveLength(1);
    expect(keys).toEqual([{ keyId: checkpoints[0].keyId, publicKey: signer.publicKey }]);
    expect(hasSignatureOf(checkpoints[0], createPublicKey(signer.publicKey))).toBe(true);
    const altered = { ...checkpoints[0], number: 2 };
    expect(hasSignatureOf(altered, createPublicKey(signer.publicKey))).toBe(false);
    const [event] = await newest(service);
    expect(event).toMatchObject({ type: 'history-checkpoint-created', data: checkpoints[0] });
    await service.post('/api/admin/tag-types', { name: 'team' });
    await seal(service, 36);
    expect((await checkpointsOf(service)).checkpoints.map(({ number }: { number: number }) => number)).toEqual([2, 1]);
    const page = await service.get('/api/admin/history/checkpoints?limit=1&before=2');
    expect(page.body.checkpoints).toEqual(checkpoints);
  });

  test('makes no checkpoint without a key', async ({ service }) => {
    await seal(service, 3);
    expect(await checkpointsOf(service)).toEqual({ checkpoints: [], keys: [] });
  });

  test('signs checkpoints by a key of KMS', async ({ service }) => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    await using kms = await openKms(privateKey, publicKey);
    for (const [name, value] of Object.entries(kms.environment)) vi.stubEnv(name, value);
    await seal(service, 3);
    const { checkpoints } = await checkpointsOf(service);
    expect(hasSignatureOf(checkpoints[0], publicKey)).toBe(true);
    const pem = String(publicKey.export({ type: 'spki', format: 'pem' }));
    expect(runVerifier(checkpoints, pem)).toContain('OK');
  });
});

/** Stands for AWS's KMS with one key. */
async function openKms(privateKey: KeyObject, publicKey: KeyObject) {
  const id = 'arn:aws:kms:eu-central-1:111122223333:key/checkpoints';
  const server = await listening(async (request, response) => {
    const body = await text(request);
    const isSigned = request.headers.authorization === authorizationOf(request, body, 'kms');
    const { KeyId, Message, SigningAlgorithm } = JSON.parse(body);
    response.statusCode = isSigned && KeyId === id ? 200 : 400;
    const answer =
      request.headers['x-amz-target'] === 'TrentService.GetPublicKey'
        ? { PublicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64') }
        : {
            Signature: sign('sha256', Buffer.from(Message, 'base64'), privateKey).toString('base64'),
            SigningAlgorithm,
          };
    response.end(JSON.stringify(answer));
  });
  return {
    environment: { ...signingEnvironment, AWS_ENDPOINT_URL_KMS: server.url, CHECKPOINT_KEY: id },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

describe('A proof', () => {
  test('leads from an event of a feature, and of none, to a checkpoint', async ({ service, world }) => {
    useCheckpointSigner(signer);
    await world.feature();
    await service.post('/api/admin/tag-types', { name: 'team' });
    const events = (await newest(service)).slice(0, 3);
    await seal(service, 3);
    const { checkpoints } = await checkpointsOf(service);
    for (const event of events) {
      const proof = await proofOf(service, event);
      expect(proof.sealed.seals).toHaveLength(1);
      const text = `in seal 1, which checkpoint 1 of ${checkpoints[0].at} confirms`;
      expect(runVerifier([proof], signer.publicKey)).toContain(text);
      expect(runVerifier([proof, checkpoints[0]], signer.publicKey)).toContain(text);
      const item = { ...proof.item, events: proof.item.events.replace('"createdBy":"', '"createdBy":"not ') };
      const refused = expect.objectContaining({ stdout: expect.stringMatching(/^WRONG: [^\n]+\n(?!Note)/) });
      expect(() => runVerifier([{ ...proof, item }], signer.publicKey)).toThrow(refused);
      expect(() => runVerifier([proof, { ...checkpoints[0], hash: 'other' }])).toThrow();
      const signed = await signCheckpoint({ ...checkpoints[0], number: 7 }, signer);
      const forged = { ...proof, sealed: { ...proof.sealed, checkpoint: { ...checkpoints[0], signature: 'AA' } } };
      expect(() => runVerifier([forged, signed], signer.publicKey)).toThrow();
      expect(runVerifier([forged])).toContain('no checkpoint from elsewhere confirms it');
    }
  });

  test('leads to a later checkpoint through the seals between', async ({ service }) => {
    useCheckpointSigner(signer);
    await service.post('/api/admin/tag-types', { name: 'first' });
    const [event] = await newest(service);
    await seal(service, 3);
    await service.post('/api/admin/tag-types', { name: 'second' });
    await seal(service, 14);
    const proof = await proofOf(service, event, '&to=2');
    expect(proof.sealed.seals.map(({ number }: { number: number }) => number)).toEqual([1, 2]);
    const [last] = (await checkpointsOf(service)).checkpoints;
    expect(runVerifier([proof, last], signer.publicKey)).toContain('in seal 1, which checkpoint 2 of');
    const short = await proofOf(service, event, '&to=1');
    expect(runVerifier([short, last])).toContain(
      'in seal 1, but no checkpoint from elsewhere confirms it: the proof that checkpoint 2 confirms is the one with to=2',
    );
    const target = `/api/admin/history/proof?id=${event?.id}&createdAt=${event?.createdAt}`;
    expect(await service.get(`${target}&from=3&to=2`)).toMatchObject({ status: 400 });
  });

  test('of an imported event reads the list of one seal, although the ids of all seals overlap', async ({
    service,
  }) => {
    const imported = await addImportedEvents(service.table, 8_100);
    await sealNow(service.table);
    await service.post('/api/admin/tag-types', { name: 'later' });
    await seal(service, 14);
    for (const event of [imported[0], imported[4_000], imported.at(-1)]) {
      let proof: { sealed: { seals: unknown[] } } | undefined;
      const requests = await recordStoreRequests(service.table, async () => {
        proof = await proofOf(service, event as ListedEvent);
      });
      expect(proof?.sealed.seals).toHaveLength(1);
      expect(runVerifier([proof])).toContain('in seal');
      expect(requests.flatMap(({ targets }) => targets.filter((target) => target.startsWith('SEAL#')))).toHaveLength(1);
      expect(requests.length).toBeLessThan(20);
    }
  });

  test('leads to the feature itself while no seal lists the event', async ({ service, world }) => {
    const { name } = await world.feature();
    for (const description of ['One', 'Two', 'Three']) {
      await service.put(`/api/admin/projects/default/features/${name}`, { description });
    }
    const { events } = (await service.get(`/api/admin/events/${name}`)).body;
    const proof = await proofOf(service, events[1]);
    expect(proof).toMatchObject({ sealed: null, chain: { later: [{ firstId: events[0].id }] } });
    expect(runVerifier([proof])).toContain('no seal lists it yet');
    expect(() => runVerifier([{ ...proof, before: 'other' }])).toThrow();
  });

  test('is refused for an event of a hidden project, and for one that is shown in part', async ({ service, world }) => {
    const hidden = await world.project();
    const open = await world.project();
    await service.put(`/api/admin/projects/${hidden}`, { name: hidden, mode: 'private' });
    await service.post(`/api/admin/projects/${hidden}/features`, { name: 'secret' });
    const { events: hiddenEvents } = (await service.get('/api/admin/events/secret')).body;
    await service.post(`/api/admin/projects/${hidden}/features`, { name: 'moved' });
    await service.post(`/api/admin/projects/${hidden}/features/moved/changeProject`, { newProjectId: open });
    const { events: movedEvents } = (await service.get('/api/admin/events/moved')).body;
    const token = await newTokenOf(service, { username: 'zoe', rootRole: 'Viewer' });
    const statusOf = async ({ id, createdAt }: ListedEvent) =>
      (await service.get(`/api/admin/history/proof?id=${id}&createdAt=${createdAt}`, { token })).status;
    expect(await statusOf(hiddenEvents[0])).toBe(404);
    expect(await statusOf(movedEvents[0])).toBe(403);
    expect(await statusOf({ ...movedEvents[0], id: 999_999 })).toBe(404);
    await service.post(`/api/admin/projects/${open}/features`, { name: 'gone' });
    const [created] = (await service.get('/api/admin/events/gone')).body.events;
    await service.post(`/api/admin/projects/${open}/features/gone/changeProject`, { newProjectId: hidden });
    const target = `/api/admin/history/proof?id=${created.id}&createdAt=${created.createdAt}`;
    // Links to the feature itself would tell of its changes in the hidden project.
    expect((await service.get(target)).body.chain.later).toHaveLength(1);
    expect((await service.get(target, { token })).body).toMatchObject({ sealed: null, chain: null });
  });
});
