import { expect, test } from 'vitest';
import { isMutation, statusOf } from '../../../lib/http/declaration.ts';
import { nextMillisecond } from '../../harness/next-millisecond.ts';
import type { Reply } from '../../harness/service.ts';
import { betweenReadAndWrite } from '../../harness/store-requests.ts';
import { methodOf, targetOf } from '../example.ts';
import { expectRefused } from '../expect.ts';
import { isCreation, paramsOf, readOf } from '../reads.ts';
import type { Specification } from '../specification.ts';
import type { Trial } from '../trial.ts';

/** Tests a request that is sent again, with a key and without, and one that rests on a version seen before. */
export function testRepeats(trial: Trial): void {
  const { again = 'nothing', may } = trial.specification;
  // Each call reads which Edge signed, and whether it has sent this before. A directory has a token, which is remembered.
  const isOfEdge = may === 'signers' && trial.declaration.protocol !== 'SCIM';
  const asked = [...(isOfEdge ? ['BatchGet', 'Update'] : []), 'Query'];

  test(`sent again, ${describeRepeat(again)}`, async () => {
    const { example, first } = await (isMutation(trial.declaration) ? trial.keyed() : trial.carriedOut());
    expect(first.status, first.text).toBe(statusOf(trial.declaration));
    // The time of a change is all that some of them store anew.
    await nextMillisecond();
    let second = first;
    const transactions = await trial.transactionsOf(async () => {
      second = await trial.send(example);
    });
    if (typeof again === 'number') expect(second.status, second.text).toBe(again);
    else expect(second.status, second.text).toBe(first.status);
    if (again === 409) expect(second.body.name).toBe('NameExistsError');
    if (again === 'nothing' && isMutation(trial.declaration)) expect(second.body).toEqual(first.body);
    // A condition of the transaction may refuse it, and then nothing is written.
    if (typeof again === 'string') expect(transactions > 0, `${transactions} transactions`).toBe(again === 'once more');
  });

  if (!isMutation(trial.declaration)) return;

  if (trial.declaration.secret)
    test('is carried out once for an idempotency key, and its secret is not shown again', async () => {
      const { first, second, storeRequests } = await trial.keyed();
      expect(first.status, first.text).toBe(statusOf(trial.declaration));
      expectRefused(second, 400, 'ValidationError');
      expect(storeRequests.map(({ command }) => command)).toEqual(asked);
    });
  else
    test('is carried out once for an idempotency key, and answers the same again', async () => {
      const { first, second, storeRequests } = await trial.keyed();
      expect(first.status, first.text).toBe(statusOf(trial.declaration));
      expect(first.headers['idempotent-replayed']).toBeUndefined();
      expect(storeRequests.map(({ command }) => command)).toEqual(asked);
      const { 'x-request-id': _id, ...headers } = first.headers;
      expect(second).toMatchObject({ status: first.status, text: first.text });
      expect(second.headers).toMatchObject({ ...headers, 'idempotent-replayed': 'true' });
    });

  test('is refused with 400 under the key of another request, or under what is no key', async () => {
    const { example: one, headers } = await trial.keyed();
    const other = await trial.idleExample();
    // Keys of different callers have nothing to do with each other.
    const token = one.headers?.authorization ?? trial.service.adminToken;
    const transactions = await trial.transactionsOf(async () => {
      // Where all requests are equal, another query makes another body or path of it.
      const isSame = one.target === other.target && JSON.stringify(one.body) === JSON.stringify(other.body);
      const changed = isSame ? { body: `${JSON.stringify(other.body)} ` } : {};
      expectRefused(await trial.send(other, { headers, ...changed, token }), 400, 'ValidationError');
      expectRefused(await trial.send(other, { headers: { 'idempotency-key': 'a b' } }), 400, 'ValidationError');
    });
    expect(transactions).toBe(0);
  });

  const { etag } = trial.declaration;
  const when = etag === undefined ? 'with any version in If-Match' : 'where If-Match names another version';
  test(`is refused with 412 ${when}, and changes nothing`, async () => {
    const [example, idle] = [await trial.repeatableExample(), await trial.idleExample()];
    const transactions = await trial.transactionsOf(async () => {
      const answer = await trial.send(idle, { headers: { 'if-match': etag === undefined ? '"1"' : '"other"' } });
      expectRefused(answer, 412, 'PreconditionFailed');
      // A caller who relies on it has to know that nothing is checked.
      expect(answer.body.message.includes('does not support If-Match'), answer.text).toBe(etag === undefined);
    });
    expect(transactions).toBe(0);
    const answer = await trial.send(example, { headers: { 'if-match': '*' } });
    expect(answer.status, answer.text).toBe(statusOf(trial.declaration));
  });

  const { versionAt, unversioned } = trial.specification;
  const read = readOf(trial.declaration, trial.specification);
  test('heeds the version that a read of it shows, or its specification says why not', () => {
    const reason = 'a mutation without `etag` gives its reason in `unversioned`, and no other one does';
    expect(unversioned !== undefined, reason).toBe(etag === undefined);
    if (unversioned !== undefined || read !== undefined || isCreation(trial.declaration)) return;
    const place =
      'no read of this path has an ETag: name another one in `versionAt`, or "replies" if none shows the version';
    expect(versionAt, place).toBe('replies');
  });
  if (read === undefined) return;

  test('is carried out once where two rest on the version that was read, one between the read and the write of the other', async () => {
    const example = await trial.example();
    const target = targetOf(read, { params: paramsOf(example) });
    const asSent = may === 'signers' ? { headers: example.headers ?? {} } : {};
    const isPut = methodOf(read) === 'PUT';
    const shown = () => trial.service.call(methodOf(read), target, { ...asSent, ...(isPut && { body: {} }) });
    const { headers, status, text } = await shown();
    expect(status, text).toBe(200);
    const version = versionIn(headers.etag);
    const stale = await trial.send(example, { headers: { 'if-match': `"${version - 1}", "${version + 1}"` } });
    expectRefused(stale, 412, 'PreconditionFailed');
    expect((await shown()).headers.etag).toBe(headers.etag);

    const send = () => trial.send(example, { headers: { 'if-match': String(headers.etag) } });
    const carriedOut: Reply[] = [];
    await nextMillisecond();
    const late = await betweenReadAndWrite(trial.service.table, async () => carriedOut.push(await send()), send);
    const [answer] = carriedOut as [Reply];
    expect(answer.status, answer.text).toBe(statusOf(trial.declaration));
    expect([412, again]).toContain(late.status);
    if (trial.declaration.etag === 'checked') return expect(answer.headers.etag).toBeUndefined();
    const place = 'the read has to show the version that the change counts on from, or to declare no `etag`';
    expect(versionIn(answer.headers.etag), place).toBe(version + 1);
    // A moved thing is read at its new place.
    const after = await shown();
    if (after.status === 200) expect(versionIn(after.headers.etag)).toBe(version + 1);
  });
}

/** A strong ETag: the version, and what else the thing is shown with. */
function versionIn(etag = ''): number {
  const [, version] = /^"(\d+)(?:-[\da-z-]+)?"$/.exec(etag) ?? [];
  expect(version, etag).toBeDefined();
  return Number(version);
}

function describeRepeat(again: NonNullable<Specification['again']>): string {
  if (again === 'nothing') return 'changes nothing and answers alike';
  return again === 'once more' ? 'is carried out once more' : `is answered ${again}`;
}
