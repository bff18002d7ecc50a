import { expect, test } from 'vitest';
import operations from '../fixtures/unleash-7.6-operations.json' with { type: 'json' };
import { life } from './life.ts';

/** Tells whether a step sends a request of a route; a name in braces stands for any part of a path. */
function isFor(sent: string, route: string): boolean {
  const [parts, wanted] = [sent, route].map((text) => text.replace(/\?.*/, '').split('/')) as [string[], string[]];
  return parts.length === wanted.length && wanted.every((part, index) => part.startsWith('{') || part === parts[index]);
}

test('every operation of Unleash 7.6.5 is compared', () => {
  const left = Object.entries(operations).filter(
    ([, route]) => !life.some(({ method, path }) => isFor(`${method} ${path}`, route)),
  );
  expect(left).toEqual([]);
});

test('no two steps have the same title, by which known differences find them', () => {
  const titles = life.map(({ title }) => title);
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});
