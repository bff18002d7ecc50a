import { expect } from 'vitest';
import { makeSecret } from '../../../lib/identity/tokens/token.ts';
import { buildToken, tokens } from '../../../lib/identity/tokens/tokens.ts';
import type { Request } from '../../../lib/request.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import type { Reply, Service } from '../../harness/service.ts';
import type { SpecifiedRole } from '../../specifications/specification.ts';
import { type TestCaller, type TestProject, tokenRequestOf } from './callers.ts';

/** An operation that stands for all that the same roles may call. */
interface Sample {
  readonly title: string;
  readonly may: readonly SpecifiedRole[];
  readonly request: (project: TestProject) => readonly [method: string, target: string, body?: object];
}

const everybody: readonly SpecifiedRole[] = ['Admin', 'Editor', 'Owner', 'Member', 'Viewer'];
const members: readonly SpecifiedRole[] = ['Admin', 'Editor', 'Owner', 'Member'];

/** The feature of each project. */
export const featureIn: Readonly<Record<TestProject, string>> = { shop: 'checkout', default: 'landing' };

export const samples: readonly Sample[] = [
  { title: 'what any token may read', may: everybody, request: () => ['GET', '/api/admin/environments'] },
  {
    title: 'a change of a feature that the path names',
    may: members,
    request: (project) => ['PUT', `/api/admin/projects/${project}/features/${featureIn[project]}`, {}],
  },
  {
    title: 'a change of a feature whose project is looked up',
    may: members,
    request: (project) => ['POST', `/api/admin/features/${featureIn[project]}/tags`, { value: 'payments' }],
  },
  {
    title: 'a change of a project',
    may: ['Admin', 'Editor', 'Owner'],
    request: (project) => ['POST', `/api/admin/projects/${project}/environments`, { environment: 'missing' }],
  },
  {
    title: 'a change of what projects share',
    may: ['Admin', 'Editor'],
    request: () => ['POST', '/api/admin/projects/validate', { id: 'fresh' }],
  },
  { title: 'what belongs to the service', may: ['Admin'], request: () => ['GET', '/api/admin/auth/saml/settings'] },
];

type Outcome = 'let in' | '401 AuthenticationRequired' | '403 NoAccessError';

/**
 * Returns the outcome of a request by the role of its token in the place that it goes to; none for an invalid token.
 */
function expectedOutcome({ may }: Sample, role: SpecifiedRole | undefined): Outcome {
  if (role === undefined) return '401 AuthenticationRequired';
  return may.includes(role) ? 'let in' : '403 NoAccessError';
}

/** Only who is let in hears that there is no such thing. */
function outcomeOf({ status, body }: Reply): string {
  return [200, 201, 404].includes(status) ? 'let in' : `${status} ${body?.name}`;
}

/**
 * Compares the answer to a caller's header with the rights of a role in a project; without a role, it is to be refused.
 */
export async function expectRights(
  service: Service,
  header: string | null,
  role: SpecifiedRole | undefined,
  { project = 'shop', among = samples }: { project?: TestProject; among?: readonly Sample[] } = {},
): Promise<void> {
  const outcomes = among.map(async (sample) => {
    const [method, target, body] = sample.request(project);
    const outcome = outcomeOf(await service.call(method, target, { token: header, ...(body && { body }) }));
    const expected = expectedOutcome(sample, role);
    return outcome === expected ? [] : [`${sample.title} in ${project}: ${outcome} instead of ${expected}`];
  });
  // All at once, so that tokens are looked up together, and could be mixed up.
  expect((await Promise.all(outcomes)).flat(), `${role} with ${header?.slice(0, 20)}`).toEqual([]);
}

/** Returns the credentials that a caller may hold, by kind; only the first is valid. */
export async function credentialsOf(table: Request, caller: TestCaller) {
  const request = tokenRequestOf(caller);
  const expiresAt = new Date(Date.now() - 1);
  const at = new Date().toISOString();
  const [valid, expired, revoked] = [makeSecret(request.kind), makeSecret(request.kind), makeSecret(request.kind)];
  const made = [
    buildToken(valid, request, at),
    buildToken(expired, { ...request, expiresAt }, at),
    buildToken(revoked, request, at),
  ].map((value) => ({ value, ...tokens.buildCreationEffects(value, at) }));
  await transact(
    table,
    made.flatMap(({ writes }) => writes),
    undefined,
  );
  await transact(
    table,
    made.slice(2).flatMap((token) => tokens.buildRemovalEffects(token).writes),
    undefined,
  );
  const random = valid.replace(/^(\*:\*\.|user:)/, '');
  const worthless = [
    expired,
    revoked,
    // With the prefix of the other kind, and in the form of a client token.
    `${request.kind === 'admin' ? 'user:' : '*:*.'}${random}`,
    `shop:development.${random}`,
  ];
  return { valid, worthless };
}

/** Returns authorization headers that are no valid token, and never were. */
export function worthlessHeaders(valid: string): Readonly<Record<string, string | null>> {
  return {
    'no header': null,
    'an empty header': '',
    'a space': ' ',
    'the word Bearer': 'Bearer',
    'Bearer twice': `Bearer Bearer ${valid}`,
    'another scheme': `Basic ${Buffer.from(`admin:${valid}`).toString('base64')}`,
    'a text that is no token': 'not-a-token',
    'the prefix of an admin token': '*:*.',
    'the prefix of a personal token': 'user:',
    'an unknown admin token': makeSecret('admin'),
    'an unknown personal token': makeSecret('user'),
    'a valid token without its last character': valid.slice(0, -1),
    'a valid token and one character more': `${valid}0`,
    'a valid token in capitals': valid.toUpperCase(),
    'a valid token twice': `${valid},${valid}`,
    'the random part of a valid token': valid.slice(4),
    'a client token of all projects': `*:development.${'0123456789abcdef'.repeat(3)}`,
    'a huge token': `*:*.${'f'.repeat(200_000)}`,
    'letters beyond ASCII': '*:*.ключ😀',
    'NUL and line breaks': '*:*.\0\r\nx',
  };
}
