import * as v from 'valibot';
import { object, text, textOfLength } from '../../values/primitives.ts';

/** Text of a password. Longer ones break the rules anyway, and nobody shall make the service hash megabytes. */
export const passwordText = textOfLength(0, 1000);

/** A password as forms send it. An administrator who sets the password of another user needs no old one. */
export const newPassword = object({
  password: passwordText,
  confirmPassword: v.exactOptional(text),
  oldPassword: v.exactOptional(text),
});
