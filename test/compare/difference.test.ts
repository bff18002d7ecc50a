import { expect, test } from 'vitest';
import { differencesOf } from './difference.ts';

const none = new Map<string, string>();
const between = (theirs: unknown, ours: unknown) =>
  differencesOf({ value: theirs, kept: none }, { value: ours, kept: none }).map(({ path, kind }) => [path, kind]);

test('a reply is compared to the last member of the last list', () => {
  const replyWith = (rollout: unknown) => ({ features: [{ name: 'a', strategies: [{ parameters: { rollout } }] }] });
  expect(between(replyWith('50'), replyWith('50'))).toEqual([]);
  expect(between(replyWith('50'), replyWith('60'))).toEqual([
    ['features.[].strategies.[].parameters.rollout', 'value'],
  ]);
  expect(between(replyWith('50'), replyWith(50))).toEqual([['features.[].strategies.[].parameters.rollout', 'type']]);
  expect(between(replyWith(null), replyWith(undefined))).toEqual([
    ['features.[].strategies.[].parameters.rollout', 'type'],
  ]);
});

test('members that one side lacks, and lists of another length, are named', () => {
  expect(between({ a: 1, b: 2 }, { a: 1, c: 3 })).toEqual([
    ['b', 'missing'],
    ['c', 'added'],
  ]);
  expect(between({ all: [1, 2] }, { all: [1] })).toEqual([['all', 'length']]);
});

test('times, ids and what the steps have kept count as equal, texts beside them do not', () => {
  const thingWith = (createdAt: string, id: unknown, name: string) => ({ createdAt, id, name });
  expect(
    between(
      thingWith('2026-11-21T10:00:00.000Z', '01M80J1F5MKEDRV1Q5DXTNZA4G', 'x'),
      thingWith('2026-11-22T11:11:11.111Z', '430eca92-9deb-4de5-ac56-0cfad3f34456', 'x'),
    ),
  ).toEqual([]);
  expect(between(thingWith('2026-11-21T10:00:00.000Z', 7, 'x'), thingWith('yesterday', 8, 'y'))).toEqual([
    ['createdAt', 'value'],
    ['name', 'value'],
  ]);
  const kept = (secret: string) => ({ value: { secret }, kept: new Map([['token', secret]]) });
  expect(differencesOf(kept('one'), kept('another'))).toEqual([]);
});
