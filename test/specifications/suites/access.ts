import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { systemUser } from '../../../lib/events/actor.ts';
import { isMutation, statusOf } from '../../../lib/http/declaration.ts';
import { audienceOf } from '../../../lib/http/middleware/authenticate.ts';
import { rootRoles } from '../../../lib/identity/permissions.ts';
import { makeSecret } from '../../../lib/identity/tokens/token.ts';
import { updateUser } from '../../../lib/people/administer-users.ts';
import { endSession } from '../../../lib/sign-in/sessions.ts';
import { anotherProcess } from '../../harness/another-process.ts';
import { fromOwnPage, giveSession } from '../../harness/sign-in.ts';
import { expectRefused, shownBy } from '../expect.ts';
import { defaultBodyBytesMax, type SpecifiedRole, sdkKindsOf } from '../specification.ts';
import type { Trial } from '../trial.ts';

/** Partitions that say who may do what: users, groups, roles, tokens, sessions, passwords, invitations, settings and integrations. */
const ofRights = /^(ACCESS|ROLES|TOKENS|SESSIONS|SIGN_IN#|INVITATIONS|SETTINGS|PRIVATE_PROJECTS|ADDONS)/;

const roles: readonly SpecifiedRole[] = ['Admin', 'Editor', 'Owner', 'Member', 'Viewer'];

/** Tests that the named callers may call an operation, and that all others are refused before anything happens. */
export function testAccess(trial: Trial): void {
  const { may, needs = [], takesAnyName = [], bodyBytesMax = defaultBodyBytesMax } = trial.specification;
  if (may === 'anyone') {
    test('needs no token, and takes any', async () => {
      for (const token of [null, 'not-a-token', trial.service.adminToken]) {
        expect((await trial.send(await trial.repeatableExample(), { token })).status).toBe(statusOf(trial.declaration));
      }
    });
    return;
  }

  const letsByToken = may === 'any token' ? (['Viewer'] as const) : [];
  const lets = typeof may === 'string' ? letsByToken : may;
  const refused = typeof may === 'string' ? [] : roles.filter((role) => !may.includes(role));

  // test/lib/http/audiences.test.ts has all kinds of invalid tokens and of tokens for other audiences.
  test('is refused with 401 to whatever is no valid token, in the same words, before anything else', async () => {
    const example = await trial.idleExample();
    const client = `default:development.${randomBytes(16).toString('hex')}`;
    const answers: ReturnType<typeof shownBy>[] = [];
    const transactions = await trial.transactionsOf(async () => {
      answers.push(shownBy(await trial.send(example, { token: null })));
      if (sdkKindsOf(trial.specification).length === 0)
        answers.push(shownBy(await trial.send(example, { token: makeSecret('admin') })));
      answers.push(shownBy(await trial.send(example, { token: client, body: '{' })));
    });
    expect(answers[0]).toMatchObject({ status: 401, body: { name: 'AuthenticationRequired' } });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(transactions).toBe(0);
  });

  if (may === 'signers') return;

  if (lets.length === 0)
    test(`is carried out for ${may}, alone and after Bearer`, async () => {
      for (const kind of sdkKindsOf(trial.specification)) {
        for (const before of ['', 'Bearer ']) {
          const token = `${before}${await trial.world.sdkToken(kind)}`;
          const answer = await trial.send(await trial.repeatableExample(), { token });
          expect(answer.status, answer.text).toBe(statusOf(trial.declaration));
        }
      }
    });

  if (lets.length > 0)
    test(`is open to ${typeof may === 'string' ? 'anybody with a token' : may.join(', ')}`, async () => {
      const isCheckedEarly = trial.declaration.permissionBy === undefined;
      for (const role of lets) {
        // Where the chain decides, one whom it lets in is as good as another: they are refused for what comes next.
        const isStopped = isCheckedEarly && role !== lets.at(-1);
        const example = await (isStopped ? trial.idleExample() : trial.example());
        // Only their owner can use the things of a user.
        const token = `Bearer ${example.headers?.authorization ?? (await trial.tokenOf(role, example.project))}`;
        const answer = await trial.send(example, { token, ...(isStopped && { body: ' '.repeat(bodyBytesMax + 1) }) });
        expect(answer.status, `${role}: ${answer.text}`).toBe(isStopped ? 413 : statusOf(trial.declaration));
      }
    });

  if (refused.length > 0)
    test(`is refused with 403 to ${refused.join(', ')}, and changes nothing`, async () => {
      const example = await trial.idleExample();
      const strangers = await Promise.all(refused.map((role) => trial.tokenOf(role, example.project)));
      if (example.project !== undefined) {
        // A role in a project is worth nothing in another one.
        strangers.push(await trial.tokenOf('Owner', await trial.otherProject()));
      }
      const transactions = await trial.transactionsOf(async () => {
        for (const token of strangers) {
          const answer = await trial.send(example, { token });
          expectRefused(answer, 403, 'NoAccessError');
          expect(needs.some((permission) => answer.body.message.includes(permission))).toBe(true);
        }
      });
      expect(transactions).toBe(0);
    });

  if (refused.length > 0)
    test('tells those who may not the same, whether what they name exists or not', async () => {
      const example = await trial.idleExample();
      const token = await trial.tokenOf('Viewer');
      const { params = {}, project } = example.specified;
      const others = Object.keys(params).map((name) => ({ [name]: name === 'id' ? '999' : 'missing' }));
      const known = shownBy(await trial.send(example, { token }));
      for (const encoded of [...others, Object.assign({}, ...others)]) {
        expect(shownBy(await trial.sendTo(example, encoded, { token }))).toEqual(known);
      }
      const body = withoutMadeNames(example.body, [project ?? '']);
      if (body !== undefined) expect(shownBy(await trial.send(example, { token, body }))).toEqual(known);
    });

  if (isMutation(trial.declaration) && audienceOf(trial.declaration.path) === 'admin')
    test('changes who may do what only for a caller who still may, though this process trusts another', async () => {
      const { service, world, first } = trial;
      const isOne = first.storeRequests.some(
        ({ command, targets }) => command === 'TransactWrite' && targets.some((target) => ofRights.test(target)),
      );
      // Only their owner can use the things of a user.
      if (!isOne || first.example.headers.authorization !== undefined) return;
      const elsewhere = anotherProcess(service.table);
      const trusted = async () => {
        const { id } = await world.user({ rootRole: 'Admin' });
        const cookie = await giveSession(service.table, id);
        const inSession = { token: null, headers: { cookie, ...fromOwnPage } };
        expect((await service.get('/api/admin/user', inSession)).status).toBe(200);
        return { id, secret: cookie.slice(cookie.indexOf('=') + 1), inSession };
      };
      const signedOut = await trusted();
      await endSession(elsewhere, signedOut.secret);
      expectRefused(await trial.send(await trial.example(), signedOut.inSession), 401, 'AuthenticationRequired');

      if (refused.length === 0) return;
      const demoted = await trusted();
      await updateUser(elsewhere, systemUser, demoted.id, { rootRole: rootRoles.Viewer });
      expectRefused(await trial.send(await trial.example(), demoted.inSession), 403, 'NoAccessError');
    });

  const isOfMembers = typeof may === 'string' || may.includes('Member');
  const isOfFeature = /\{projectId\}.*\{featureName\}/.test(trial.specification.route);
  if (isOfMembers && isOfFeature && !takesAnyName.includes('featureName'))
    test('tells a Member of another project that the feature is not there', async () => {
      const { route } = trial.specification;
      const example = await trial.idleExample();
      const project = await trial.otherProject();
      const token = typeof may === 'string' ? trial.service.adminToken : await trial.tokenOf('Member', project);
      const answers = [];
      for (const name of [undefined, 'missing']) {
        const encoded = { projectId: project, ...(name !== undefined && { featureName: name }) };
        const answer = await trial.sendTo(example, encoded, { token });
        expectRefused(answer, 404, 'NotFoundError');
        // The same words but for the name that they quote.
        answers.push(JSON.stringify(shownBy(answer)).replaceAll(/\\"[^"]*\\"/g, '…'));
      }
      expect(answers[1], route).toBe(answers[0]);
    });
}

/** A body in which nothing that a world has made goes by its name. */
function withoutMadeNames(body: unknown, kept: readonly string[]): unknown {
  if (body === undefined) return undefined;
  const text = JSON.stringify(body).replaceAll(/"[a-z-]+-\d+"/g, (name) =>
    kept.includes(JSON.parse(name)) ? name : '"missing"',
  );
  return JSON.parse(text);
}
