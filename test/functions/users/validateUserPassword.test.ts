import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('validateUserPassword', {
  route: 'POST /api/admin/user-admin/validate-password',
  may: 'any token',
  request: () => ({ body: { password: 'Correct-horse-7', confirmPassword: 'Correct-horse-7', oldPassword: 'old' } }),
  required: ['password'],
});

// Which passwords keep the rules, test/lib/sign-in/passwords/password-rules.test.ts says.
test('A weak password is refused with the rule that it breaks', async ({ service }) => {
  const validate = (password: string) => service.post('/api/admin/user-admin/validate-password', { password });
  const rule = 'The password must contain at least one number.';
  expect(await validate('Correct-horse-x')).toMatchObject({
    status: 400,
    body: { details: [{ message: rule, path: 'password', validationErrors: [rule] }] },
  });
});
