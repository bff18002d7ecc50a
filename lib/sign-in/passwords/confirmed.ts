import { invalid } from '../../errors.ts';

/**
 * Checks that a password was typed twice alike.
 * @throws ApiError 400 otherwise.
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
