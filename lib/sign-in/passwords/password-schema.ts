import * as v from 'valibot';
import { object, text, textOfLength } from '../../values/primitives.ts';

/** Longer ones keep no rule, and nobody can make us hash megabytes. */
export const passwordText = textOfLength(0, 1000);

/** A password as forms send it. An administrator who sets the password of another user needs no old one. */
export const newPassword = object({
  password: passwordText,
  confirmPassword: v.exactOptional(text),
  oldPassword: v.exactOptional(text),
});
