import { ApiError } from '../../errors.ts';

const usualMessage = 'The single sign-on was refused; sign in again, or ask an administrator to look into the log.';
const unusableMessage =
  'The identity provider cannot be reached, or its response is not valid; try again later, or ask an administrator to check the log.';

/**
 * Returns the error of a refused sign-on. The caller learns no more than that; the log has the reason.
 * @param reason for the log, free of secrets.
 */
export function refuseSignOn(reason: string, message = usualMessage): ApiError {
  return new ApiError('AuthenticationRequired', message, undefined, { reason });
}

/** Returns the error of a sign-on that fails for every user at the moment. */
export function unusable(reason: string): ApiError {
  return refuseSignOn(reason, unusableMessage);
}
