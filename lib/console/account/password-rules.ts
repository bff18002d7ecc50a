/** The rules of a password. The service decides; these say while somebody types which ones are kept so far. */
export const passwordRules: readonly (readonly [words: string, isKept: (password: string) => boolean])[] = [
  ['At least 10 characters', (password) => password.length >= 10 && password.length <= 128],
  ['A lowercase letter', (password) => /\p{Ll}/u.test(password)],
  ['A capital letter', (password) => /\p{Lu}/u.test(password)],
  ['A digit', (password) => /\p{Nd}/u.test(password)],
  ['A symbol or a space', (password) => /[^A-Za-z0-9]/.test(password)],
  ['No character three times in a row', (password) => password !== '' && !/(.)\1{2,}/u.test(password)],
];

/** Tells whether a password keeps all rules. */
export function isGoodPassword(password: string): boolean {
  return passwordRules.every(([, isKept]) => isKept(password));
}
