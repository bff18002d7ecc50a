import { describe, expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { specify } from '../../specifications/specify.ts';

specify('validateUserPassword', {
  route: 'POST /api/admin/user-admin/validate-password',
  may: 'any token',
  request: () => ({ body: { password: 'Correct-horse-7', confirmPassword: 'Correct-horse-7', oldPassword: 'old' } }),
  required: ['password'],
});

describe('A password', () => {
  const broken: Record<string, string> = {
    'Correct7-': 'The password must be at least 10 characters long.',
    [`Correct-7${'ab'.repeat(60)}`]: 'The password must be fewer than 128 characters.',
    'Correct-horsss-7': 'The password may not contain sequences of three or more repeated characters.',
    'CORRECT-HORSE-7': 'The password must contain at least one lowercase letter.',
    'correct-horse-7': 'The password must contain at least one uppercase letter.',
    'Correct-horse-x': 'The password must contain at least one number.',
    Correcthorse7: 'The password must contain at least one special character.',
  };
  test.each(Object.entries(broken))('such as %s is refused: %s', async (password, rule) => {
    const answer = await (await freshService()).post('/api/admin/user-admin/validate-password', { password });
    expect(answer.status).toBe(400);
    expect(answer.body.details).toEqual([{ message: rule, path: 'password', validationErrors: [rule] }]);
  });

  test.each(['Abcdefghi1 ', 'Écoutez-moi7', `Correct-7${'ab'.repeat(59)}`])(
    'such as %s keeps the rules',
    async (password) => {
      const answer = await (await freshService()).post('/api/admin/user-admin/validate-password', { password });
      expect(answer.status).toBe(200);
    },
  );
});
