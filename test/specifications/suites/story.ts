import { expect, test } from 'vitest';
import * as registry from '../../../functions/index.ts';
import { type Endpoint, isMutation, statusOf } from '../../../lib/http/declaration.ts';
import { eventsAddedTo, type StoredEvent } from '../../harness/items.ts';
import type { Reply } from '../../harness/service.ts';
import { type Example, methodOf, pathOf, targetOf } from '../example.ts';
import { eventsRow } from '../generated/events-table.ts';
import { operationsFile } from '../generated/operations-table.ts';
import { outdated, readPart } from '../generated/part.ts';
import { paramsOf, readOf } from '../reads.ts';
import type { Trial } from '../trial.ts';

/** The properties that lists, bodies and events have in forms of their own: ids in place of whole things, or no secrets. */
const ownForms = [
  ...['id', 'roles', 'rootRole', 'users', 'projects', 'permissions', 'environments', 'featureNaming'],
  // The service gives ids to milestones and strategies.
  'milestones',
];
const secretForms = [...ownForms, 'parameters'];

/** Tests that a change shows in the reads of its thing, and that its events tell of it. */
export function testStory(trial: Trial): void {
  if (!isMutation(trial.declaration)) return;
  const { operationId, again, may } = trial.specification;
  const { method, path, responses } = trial.declaration;

  test('makes the events that stand in functions/README.md', () => {
    const rows = readPart(operationsFile, 'events');
    expect(rows, outdated(operationId)).toContain(eventsRow(operationId, trial.first.events));
  });

  test('shows in what is read, and its events tell what was and what is', async () => {
    const example = await trial.example();
    const read = readOf(trial.declaration, trial.specification);
    const isShown = read !== undefined && methodOf(read) === 'GET';
    // The signer of a change signs the read, too.
    const asSent = may === 'signers' ? { headers: example.headers ?? {} } : {};
    const shown = async () =>
      isShown ? await trial.service.get(targetOf(read, { params: paramsOf(example) }), asSent) : undefined;
    const before = await shown();
    const replies: Reply[] = [];
    const events = await eventsAddedTo(trial.service.table, async () => replies.push(await trial.send(example)));
    const [reply] = replies as [Reply];
    expect(reply.status, reply.text).toBe(statusOf(trial.declaration));

    const after = await shown();
    if (isShown && again === 404 && pathOf(read) === path) expect(after?.status).toBe(404);
    const [first] = events;
    const isOfWhole = isOfAnother(first, reply.body) && !isOfAnother(first, after?.body);
    if (method === 'PUT' && !isOfWhole) expectAlike(after?.body, example.body, secretForms);
    if (201 in responses && first?.type.endsWith('-created')) {
      const { location = '' } = reply.headers;
      if (isReadBelow(path))
        expect(location, 'a thing that one GET reads has a location when it is created').not.toBe('');
      const found =
        location === '' ? undefined : await trial.service.get(location.replace(/^https?:\/\/[^/]+/, ''), asSent);
      if (isReadBelow(path)) expect(found?.status).toBe(200);
      if (found?.status === 200) {
        expectAlike(found.body, reply.body);
        expectAlike(found.body, example.body, secretForms);
      }
    }
    // An event has other names for what SCIM sends.
    if (first !== undefined && trial.declaration.protocol !== 'SCIM')
      expectTold(first, { before: before?.body, after: (isOfWhole ? undefined : reply.body) ?? after?.body }, example);
    for (const event of events) await expectSigned(event, trial, example);
    // A secret is shown only to the caller who has made it.
    const { secret } = (reply.body ?? {}) as { secret?: string };
    if (secret !== undefined) expect(JSON.stringify(events)).not.toContain(secret);
  });
}

/** Tells whether an event and a body have different ids: the event of a changed milestone is that of its template. */
function isOfAnother(event: StoredEvent | undefined, body: unknown): boolean {
  const ids = [event?.data, body].map((thing) => (thing as { readonly id?: unknown } | null | undefined)?.id);
  return ids.every((id) => typeof id === 'string') && ids[0] !== ids[1];
}

/** Tells whether single things are read below a path, by their names or ids. */
function isReadBelow(path: string): boolean {
  return Object.values<Endpoint>(registry).some(
    ({ declaration }) =>
      declaration.method === 'GET' && declaration.path.replace(/\/\{\w+\}$/, '') === path && declaration.path !== path,
  );
}

/** Expects the event of a thing that was created, changed or deleted to have what it was and what it is. */
function expectTold({ type, data, preData }: StoredEvent, seen: { before: unknown; after: unknown }, sent: Example) {
  const isChange = data !== null && preData !== null;
  if (/-(created|add|added)$/.test(type)) expectAlike(data, sent.body);
  if (isChange || /-(created|add)$/.test(type)) expectAlike(data, seen.after);
  if (isChange || /-(deleted|remove)$/.test(type)) expectAlike(preData, seen.before);
}

/** Expects an event to have its author, and the environment that the path names. */
async function expectSigned({ createdBy, createdByUserId, environment }: StoredEvent, trial: Trial, example: Example) {
  const { may, route } = trial.specification;
  const { params = {}, headers: { authorization: token } = {} } = example.specified;
  if (may !== 'anyone' && may !== 'signers') {
    const { user } = (await trial.service.get('/api/admin/user', token === undefined ? {} : { token })).body;
    expect([createdBy, createdByUserId]).toEqual([user.username, user.id]);
  }
  // Variants may be changed in all environments at once, whose names stand in no path.
  if (route.includes('{environment}') && environment !== null) expect(environment).toBe(params.environment);
}

/** The names that two records have, where they are records. */
function sharedNames(one: unknown, other: unknown): string[] {
  const namesOf = (value: unknown) => (typeof value === 'object' && value !== null ? Object.keys(value) : []);
  const others = new Set(namesOf(other));
  return namesOf(one).filter((name) => others.has(name));
}

/** Expects two records to agree in all properties that both have. */
function expectAlike(one: unknown, other: unknown, except: readonly string[] = ownForms): void {
  const names = sharedNames(one, other).filter((name) => !except.includes(name));
  const shared = (record: unknown) => names.map((name) => [name, inOneForm((record as Record<string, unknown>)[name])]);
  expect(shared(one)).toEqual(shared(other));
}

/** A value with its times written alike. */
function inOneForm(value: unknown): unknown {
  const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
  const text = JSON.stringify(value, (_, each) => (time.test(String(each)) ? new Date(each).toISOString() : each));
  return text === undefined ? undefined : JSON.parse(text);
}
