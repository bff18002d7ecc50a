import { ApiError } from '../../errors.ts';

const usualMessage = 'Single sign-on was refused; sign in again, or ask an administrator to check the log.';
const unusableMessage =
  'The identity provider cannot be reached, or its response is not valid; try again later, or ask an administrator to check the log.';

/**
 * Returns the error of a refused sign-on. The caller gets only a general message; the log has the reason.
 * @param reason for the log, without secrets.
 */
export function refuseSignOn(reason: string, message = usualMessage): ApiError {
  return new ApiError('AuthenticationRequired', message, undefined, { reason });
}

/** Returns the error if single sign-on currently fails for every user. */
export function buildProviderError(reason: string): ApiError {
  return refuseSignOn(reason, unusableMessage);
}
