import { beforeEach, describe, expect, test, vi } from 'vitest';
import { deleteEdgeClient } from '../../../lib/delivery/edge/edge-clients.ts';
import { systemUser } from '../../../lib/events/actor.ts';
import { hashOf } from '../../../lib/identity/tokens/token.ts';
import { tokenIdOf, tokens } from '../../../lib/identity/tokens/tokens.ts';
import { setMaintenance } from '../../../lib/settings/maintenance.ts';
import { anotherProcess } from '../../harness/another-process.ts';
import { type SignedParts, type SigningEdge, signatureFor, toBeSignedBy } from '../../harness/edge-signature.ts';
import type { Reply } from '../../harness/service.ts';
import { linesWrittenBy } from '../../harness/written-lines.ts';
import { specify, worldForEach } from '../../specifications/specify.ts';

specify('edgeCreateOrReturnTokens', {
  route: 'POST /edge/issue-token',
  may: 'signers',
  request: async (world) => ({
    headers: toBeSignedBy(await world.edgeClient()),
    body: { tokens: [{ environment: world.home.environment, projects: [world.home.projectId] }] },
  }),
  others: {
    'tokens of two environments': async (world) => ({
      headers: toBeSignedBy(await world.edgeClient()),
      body: {
        tokens: [
          { environment: 'development', projects: [await world.project(), 'default'] },
          { environment: 'production', projects: ['*'] },
        ],
      },
      stages: 2,
    }),
  },
  required: ['tokens', 'tokens.0.environment', 'tokens.0.projects'],
  waits: 6,
  unversioned: 'a token is made once and answered again',
  differs: 'an Edge is made known by a command; at most 50 tokens at once',
});

const path = '/edge/issue-token';
const scope = { environment: 'development', projects: ['default'] };
const wanted = { tokens: [scope] };

let edge: SigningEdge;
const { service, world } = worldForEach();
beforeEach(async () => {
  edge = await world.edgeClient();
});

const ask = (body: unknown = wanted, by = edge) => service.post(path, body, { headers: toBeSignedBy(by) });
const secretIn = ({ body }: Reply, index = 0): string => body.tokens[index].token;
const poll = (token: string) => service.get('/api/client/features', { token });
const apiTokens = async (): Promise<{ type: string; environment: string }[]> =>
  (await service.get('/api/admin/api-tokens')).body.tokens.filter(({ type }: { type: string }) => type !== 'admin');

describe('An Edge is given', () => {
  test('its tokens for a request with a key, though somebody has sent its name in the place of a token with that key', async () => {
    const key = { 'idempotency-key': 'anybody-may-guess' };
    const username = world.name('user');
    const body = { username, email: `${username}@example.com`, name: 'A User', password: 'Correct-horse-7' };
    const signup = `/invite/${await world.invitation()}/signup`;
    expect((await service.post(signup, body, { headers: { ...key, authorization: edge.id } })).status).toBe(201);
    expect((await service.post(path, wanted, { headers: { ...key, ...toBeSignedBy(edge) } })).status).toBe(200);
  });

  test('backend tokens with its scopes, created by the system and listed like others', async () => {
    const { name } = await world.feature({ on: true });
    const project = await world.project();
    const several = { environment: 'production', projects: ['default', project] };
    const { status, body } = await ask({ tokens: [scope, several] });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        tokens: [
          { ...scope, type: 'backend', token: expect.stringMatching(/^default:development\.[\da-f]{56}$/) },
          { ...several, type: 'backend', token: expect.stringMatching(/^\[\]:production\.[\da-f]{56}$/) },
        ],
      },
    });
    const token = body.tokens[0].token;
    expect((await poll(token)).body.features).toMatchObject([{ name }]);
    const listed = await apiTokens();
    // They are made at the same time, and listed by that.
    expect(listed.toSorted((a, b) => (a.environment < b.environment ? -1 : 1))).toMatchObject([
      { ...scope, tokenName: `edge ${edge.id}`, type: 'client', secure: true },
      { ...several, tokenName: `edge ${edge.id}` },
    ]);
    expect(JSON.stringify(listed)).not.toContain(token);
    const { events } = (await service.get('/api/admin/search/events?limit=2')).body;
    expect(events).toMatchObject([
      { type: 'api-token-created' },
      { type: 'api-token-created', createdByUserId: -1337 },
    ]);
    expect(JSON.stringify(events)).not.toMatch(new RegExp([token, edge.secret, 'salt', 'edgeScope'].join('|')));
  });

  test('the same tokens again, whatever order and repeats the projects have, and others than another Edge', async () => {
    const project = await world.project();
    const first = await ask({ tokens: [{ environment: 'development', projects: [project, 'default'] }] });
    const again = await ask({
      tokens: [
        { environment: 'development', projects: ['default', project, 'default'] },
        { environment: 'development', projects: ['default'] },
        { environment: 'development', projects: [project, '*'] },
        { environment: 'development', projects: ['*'] },
      ],
    });
    expect(secretIn(again)).toBe(secretIn(first));
    expect(secretIn(again, 2)).toBe(secretIn(again, 3));
    expect(again.body.tokens[2].projects).toEqual(['*']);
    expect(await apiTokens()).toHaveLength(3);
    expect(secretIn(await ask(wanted, await world.edgeClient()))).not.toBe(secretIn(again, 1));
  });

  test('one token for several concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask()));
    expect(new Set(answers.map((answer) => secretIn(answer))).size).toBe(1);
    expect(await apiTokens()).toHaveLength(1);
    expect((await poll(secretIn(answers[0] as Reply))).status).toBe(200);
  });

  test('a new token in the place of one that was deleted or has expired, and never the old one', async () => {
    const first = secretIn(await ask());
    await service.call('DELETE', `/api/admin/api-tokens/${tokenIdOf(hashOf(first))}`);
    const second = secretIn(await ask());
    await service.put(`/api/admin/api-tokens/${tokenIdOf(hashOf(second))}`, { expiresAt: '2001-01-01T00:00:00.000Z' });
    const third = secretIn(await ask());
    expect(new Set([first, second, third]).size).toBe(3);
    expect(await apiTokens()).toHaveLength(1);
    expect((await poll(third)).status).toBe(200);
  });

  test('a token of all its projects after one of them was deleted and created again', async () => {
    const project = await world.project();
    const both = { tokens: [{ environment: 'development', projects: ['default', project] }] };
    const first = secretIn(await ask(both));
    await service.call('DELETE', `/api/admin/projects/${project}`);
    expect((await ask(both)).body.details).toEqual([
      { message: `There is no project "${project}".`, path: 'tokens.0.projects' },
    ]);
    await service.post('/api/admin/projects', { id: project, name: project });
    expect(secretIn(await ask(both))).toBe(first);
    expect(await apiTokens()).toMatchObject([{ projects: ['default', project] }]);
  });

  test('its existing tokens during maintenance, and no new ones', async () => {
    const token = secretIn(await ask());
    await setMaintenance(service.table, systemUser, true);
    expect(secretIn(await ask())).toBe(token);
    expect((await ask({ tokens: [scope, { ...scope, environment: 'production' }] })).status).toBe(503);
  });
});

describe('An Edge is refused', () => {
  test('with 400 that names all places which do not exist, and makes nothing', async () => {
    const { status, body } = await ask({
      tokens: [scope, { environment: 'moon', projects: ['default', 'x', 'y'] }, { ...scope, projects: ['z', '*'] }],
    });
    expect([status, body.details]).toEqual([
      400,
      [
        { message: 'There is no environment "moon".', path: 'tokens.1.environment' },
        { message: 'There is no project "x".', path: 'tokens.1.projects' },
        { message: 'There is no project "y".', path: 'tokens.1.projects' },
      ],
    ]);
    expect(await apiTokens()).toEqual([]);
  });

  test.each([
    ['no project', [{ ...scope, projects: [] }], 'tokens.0.projects'],
    ['more projects than a token has', [{ ...scope, projects: Array(501).fill('default') }], 'tokens.0.projects'],
    ['all environments', [{ ...scope, environment: '*' }], 'tokens.0.environment'],
    ['more than 50 tokens', Array(51).fill(scope), 'tokens'],
  ])('with 400 where it asks for %s', async (_what, asked, place) => {
    const { status, body } = await ask({ tokens: asked });
    expect([status, body.details[0].path]).toEqual([400, place]);
  });

  test('with 400 at the limit of tokens, except for its existing ones', async () => {
    const token = secretIn(await ask());
    vi.stubEnv('API_TOKENS_LIMIT', '1');
    const { status, body } = await ask({ tokens: [{ ...scope, environment: 'production' }] });
    expect([status, body.message]).toEqual([400, 'At most 1 API tokens are allowed.']);
    expect(secretIn(await ask())).toBe(token);
  });
});

const text = JSON.stringify(wanted);
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const send = (headers: Readonly<Record<string, string>>, body: string | Buffer = text) =>
  service.call('POST', path, { token: null, headers, body });
const signed = (parts: SignedParts = {}, by = edge) => signatureFor(by, text, parts);

describe('A request is taken', () => {
  test.each([
    ['of an Edge whose clock is four minutes late', () => signed({ timestamp: minutesAgo(4) })],
    ['of an Edge whose clock is four minutes early', () => signed({ timestamp: minutesAgo(-4) })],
    ['with the nanoseconds and the offset of another clock', () => signed({ timestamp: withNanoseconds() })],
  ])('%s', async (_what, headers) => {
    expect((await send(headers())).status).toBe(200);
  });

  test('as bytes, and with the hash of its JSON without blanks, which Unleash compares', async () => {
    expect((await send(signatureFor(edge, text), Buffer.from(text))).status).toBe(200);
    expect((await send(signatureFor(edge, text), JSON.stringify(wanted, null, 2))).status).toBe(200);
  });
});

const withNanoseconds = () => minutesAgo(0).replace(/Z$/, '456789+00:00');

describe('A refused request is a 401 with the same message; only the log has the reason:', () => {
  const wrong: Record<string, [reason: RegExp, () => Promise<Reply> | Reply]> = {
    'without a signature': [/not signed/, () => send({})],
    'with a token': [/not signed/, () => service.post(path, wanted)],
    'without a nonce': [/not signed/, () => send({ ...signed(), 'x-nonce': '' })],
    'of an unknown Edge': [/No Edge/, () => send(signed({}, { ...edge, id: 'unknown' }))],
    'of a name that nothing can have': [/No Edge/, () => send(signed({}, { ...edge, id: 'a b' }))],
    'of an Edge that was deleted': [
      /No Edge/,
      async () => {
        await deleteEdgeClient(service.table, edge.id);
        return send(signed());
      },
    ],
    'signed with the secret of another Edge': [
      /signature/,
      async () => send(signed({}, { ...(await world.edgeClient()), id: edge.id })),
    ],
    'signed without a secret': [/signature/, () => send(signed({}, { ...edge, secret: '' }))],
    'signed for another path': [/signature/, () => send(signed({ path: '/edge/validate' }))],
    'with another nonce than was signed': [/signature/, () => send({ ...signed(), 'x-nonce': 'other' })],
    'with another time than was signed': [/signature/, () => send({ ...signed(), 'x-timestamp': minutesAgo(1) })],
    'with a body other than was signed': [/body/, () => send(signed(), text.replace('default', 'other'))],
    'with another body and its hash': [
      /signature/,
      () => send({ ...signed(), 'content-sha256': signatureFor(edge, '{}')['content-sha256'] ?? '' }, '{}'),
    ],
    'of six minutes ago': [/five minutes/, () => send(signed({ timestamp: minutesAgo(6) }))],
    'of six minutes ahead': [/five minutes/, () => send(signed({ timestamp: minutesAgo(-6) }))],
    'of no time': [/five minutes/, () => send(signed({ timestamp: 'now' }))],
    'that has come before': [
      /been sent before/,
      async () => {
        const headers = signed({ nonce: 'once' });
        expect((await send(headers)).status).toBe(200);
        return send(headers);
      },
    ],
  };
  test.each(Object.entries(wrong))('%s', async (_what, [reason, request]) => {
    const answers: Reply[] = [];
    const { log } = await linesWrittenBy(async () => answers.push(await request()));
    expect(log.at(-1)).toMatchObject({ status: 401, reason: expect.stringMatching(reason) });
    const [answer] = answers as [Reply];
    expect(answer).toMatchObject({
      status: 401,
      body: {
        name: 'AuthenticationRequired',
        message: 'The request must be signed by a registered Edge. If it is, the log of the service has the reason.',
      },
    });
  });

  test('only once if it comes several times concurrently', async () => {
    const headers = signed();
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(headers)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401, 401]);
    // Another Edge may choose the same nonce.
    const other = await world.edgeClient();
    expect((await send(signed({ nonce: headers['x-nonce'] ?? '' }, other))).status).toBe(200);
  });
});

describe('The deletion of an Edge', () => {
  test('ends its tokens and leaves those of others', async () => {
    const other = await world.edgeClient();
    const [token, kept] = [secretIn(await ask()), secretIn(await ask(wanted, other))];
    await deleteEdgeClient(anotherProcess(service.table), edge.id);
    expect(await tokens.find(service.table, hashOf(token))).toBeUndefined();
    expect((await poll(kept)).status).toBe(200);
    expect(await apiTokens()).toHaveLength(1);
  });

  test('leaves no token behind that it gets concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const passing = await world.edgeClient();
      const environments = ['development', 'production'];
      const [...answers] = await Promise.all([
        ...environments.map((environment) => ask({ tokens: [{ ...scope, environment }] }, passing)),
        deleteEdgeClient(anotherProcess(service.table), passing.id),
      ]);
      for (const answer of answers) if (answer) expect(answer.status).toBeOneOf([200, 401]);
      expect(await apiTokens()).toEqual([]);
    }
  });

  test('takes however many tokens it has', async () => {
    const projects = await world.projects(45);
    await ask({ tokens: projects.map((project) => ({ ...scope, projects: [project] })) });
    expect(await apiTokens()).toHaveLength(45);
    await deleteEdgeClient(service.table, edge.id);
    expect(await apiTokens()).toEqual([]);
    expect((await ask()).status).toBe(401);
  });
});
