/** Every hash of a process is made at the lowest cost, as those of the tests' own processes are: each takes a sixth of a second. */
const program = `
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
const { scrypt } = crypto;
crypto.scrypt = (password, salt, length, options, done) => scrypt(password, salt, length, { N: 2, r: 1, p: 1 }, done);
syncBuiltinESMExports();`;

/** Arguments by which Node starts a program that hashes the password of the first administrator at the lowest cost. */
export const cheapPasswords = ['--import', `data:text/javascript,${encodeURIComponent(program)}`] as const;
