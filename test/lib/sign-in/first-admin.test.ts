import { expect } from 'vitest';
import { giveFirstPassword, randomPassword } from '../../../lib/sign-in/first-admin.ts';
import { isStrong } from '../../../lib/sign-in/passwords/password-rules.ts';
import { sendSignIn } from '../../harness/sign-in.ts';
import { test } from '../../specifications/specify.ts';

test('The first administrator gets a first password only once, even from several processes at once', async ({
  service,
}) => {
  const passwords = Array.from({ length: 4 }, randomPassword);
  const given = await Promise.all(passwords.map((password) => giveFirstPassword(service.table, password)));
  expect(given.filter(Boolean)).toHaveLength(1);
  expect(await giveFirstPassword(service.table, 'Another-horse-7')).toBe(false);
  for (const [index, password] of [...passwords, 'Another-horse-7'].entries()) {
    const answer = await sendSignIn(service, { username: 'admin', password });
    expect(answer.status).toBe(given[index] ? 200 : 401);
  }
});

test('A random password is different each time and follows the rules', () => {
  const passwords = Array.from({ length: 100 }, randomPassword);
  expect(new Set(passwords).size).toBe(100);
  expect(passwords.filter((password) => !isStrong(password))).toEqual([]);
});
