import { ApiError } from '../errors.ts';

/**
 * A refused sign-on. The caller learns no more than that; the log has the reason.
 * @param reason what is wrong, without anything secret.
 */
export function refused(reason: string): ApiError {
  const message = 'The single sign-on was refused; sign in again, or ask an administrator to look into the log.';
  return new ApiError('AuthenticationRequired', message, undefined, { reason });
}
