import { describe, expect, test } from 'vitest';
import { assertConfirmed, assertStrong, isStrong } from '../../../../lib/sign-in/passwords/password-rules.ts';

/** The rules that a password breaks, each by a word of its message. */
function broken(password: string): string[] {
  const words = ['10 characters', '128', 'repeated', 'lowercase', 'uppercase', 'number', 'special'];
  let messages: readonly string[] = [];
  try {
    assertStrong(password);
  } catch (error) {
    messages = (error as { details: { message: string }[] }).details.map(({ message }) => message);
  }
  expect(isStrong(password)).toBe(messages.length === 0);
  return messages.map((message) => words.find((word) => message.includes(word)) ?? message);
}

describe('A password', () => {
  test.each(['Correct-h0rse', 'Ab1!Ab1!Ab', `Ab1!${'xy'.repeat(62)}`, 'aA1 aA1 aA', 'éÀ٣éÀ٣éÀ٣é', 'aabbAA11!!'])(
    'may be %j',
    (password) => expect(broken(password)).toEqual([]),
  );

  test.each([
    ['Ab1!Ab1!A', ['10 characters']],
    [`Ab1!${'xy'.repeat(62)}x`, ['128']],
    ['Correct-h000rse', ['repeated']],
    ['Correct-h0rse\u{1f600}\u{1f600}\u{1f600}', ['repeated']],
    ['CORRECT-H0RSE', ['lowercase']],
    ['correct-h0rse', ['uppercase']],
    ['Correct-horse', ['number']],
    ['Correcth0rse', ['special']],
    ['aaa', ['10 characters', 'repeated', 'uppercase', 'number', 'special']],
    ['', ['10 characters', 'lowercase', 'uppercase', 'number', 'special']],
  ])('%j is refused for all broken rules: %j', (password, rules) => {
    expect(broken(password)).toEqual(rules);
  });

  test('is refused with its path, and with all broken rules together for admin UIs', () => {
    const messages = [
      'The password must contain at least one uppercase letter.',
      'The password must contain at least one number.',
    ];
    const error = (path: string) =>
      expect.objectContaining({
        name: 'ValidationError',
        message: messages.join(' '),
        details: [
          { message: messages[0], path, validationErrors: messages },
          { message: messages[1], path },
        ],
      });
    expect(() => assertStrong('correct-horse')).toThrow(error('password'));
    expect(() => assertStrong('correct-horse', 'newPassword')).toThrow(error('newPassword'));
  });
});

test('A password is refused if its confirmation differs, and accepted with the same one or none', () => {
  const error = expect.objectContaining({
    details: [{ message: 'It must be the same as the password.', path: 'confirmPassword' }],
  });
  expect(() => assertConfirmed({ password: 'one', confirmPassword: 'two' })).toThrow(error);
  expect(() => assertConfirmed({ password: 'one', confirmPassword: 'one' })).not.toThrow();
  expect(() => assertConfirmed({ password: 'one' })).not.toThrow();
});
