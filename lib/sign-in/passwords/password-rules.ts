import { ApiError, invalid } from '../../errors.ts';

/** Unleash's rules, with its messages, by which its admin UI knows which rules are broken. */
const rules: readonly { readonly isKept: (password: string) => boolean; readonly message: string }[] = [
  {
    isKept: (password) => password.length >= 10,
    message: 'The password must be at least 10 characters long.',
  },
  { isKept: (password) => password.length <= 128, message: 'The password must be fewer than 128 characters.' },
  {
    isKept: (password) => !/(.)\1{2,}/u.test(password),
    message: 'The password may not contain sequences of three or more repeated characters.',
  },
  {
    isKept: (password) => /\p{Ll}/u.test(password),
    message: 'The password must contain at least one lowercase letter.',
  },
  {
    isKept: (password) => /\p{Lu}/u.test(password),
    message: 'The password must contain at least one uppercase letter.',
  },
  { isKept: (password) => /\p{Nd}/u.test(password), message: 'The password must contain at least one number.' },
  {
    isKept: (password) => /[^A-Za-z0-9]/.test(password),
    message: 'The password must contain at least one special character.',
  },
];

/** Returns true if a password follows all rules. */
export function isStrong(password: string): boolean {
  return rules.every(({ isKept }) => isKept(password));
}

/**
 * @throws ApiError 400 that names every broken rule.
 */
export function assertStrong(password: string, path = 'password'): void {
  const broken = rules.filter(({ isKept }) => !isKept(password)).map(({ message }) => message);
  const [first, ...others] = broken;
  if (first === undefined) return;
  throw new ApiError('ValidationError', broken.join(' '), [
    { message: first, path, validationErrors: broken },
    ...others.map((message) => ({ message, path })),
  ]);
}

/**
 * Checks that a password and its confirmation are the same.
 * @throws ApiError 400 if they differ.
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
