import { invalid } from '../../errors.ts';

/**
 * @throws ApiError 400 where a password was typed twice and not the same each time.
 */
export function assertConfirmed({
  password,
  confirmPassword = password,
}: {
  password: string;
  confirmPassword?: string;
}): void {
  if (confirmPassword !== password) throw invalid('It must be the same as the password.', 'confirmPassword');
}
