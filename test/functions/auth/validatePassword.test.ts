import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { specify } from '../../specifications/specify.ts';

specify('validatePassword', {
  route: 'POST /auth/reset/validate-password',
  may: 'anyone',
  request: () => ({ body: { password: 'Correct-horse-7' } }),
  required: ['password'],
});

test('A weak password is refused with every rule that it breaks', async () => {
  const answer = await (await freshService()).post('/auth/reset/validate-password', { password: 'Ab1' });
  expect(answer.status).toBe(400);
  expect(answer.body.details[0].validationErrors).toHaveLength(2);
});
