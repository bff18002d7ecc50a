import { notFound } from '../../lib/errors.ts';
import { systemUser } from '../../lib/events/actor.ts';
import { firstAdmin, randomPassword } from '../../lib/sign-in/first-admin.ts';
import { setPassword } from '../../lib/sign-in/passwords/passwords.ts';
import { findUserId } from '../../lib/sign-in/passwords/records.ts';
import { type CommandLine, runCommand } from './command.ts';
import { storeHelp, withStore } from './store.ts';

const help = `Sets a new random password for a user.

  npm run --silent password -- [--user NAME]
      Prints the new password of the user with this user name or e-mail address (default: ${firstAdmin}). It ends their sessions,
      and unlocks an account that too many wrong passwords have locked.
  -h, --help
      This text.

Only the password goes to stdout. Only its hash is stored. The user can change the password after signing in.

${storeHelp}`;

const options = { user: { type: 'string' } } as const;

async function password({ values: { user = firstAdmin } }: CommandLine<typeof options>): Promise<void> {
  await withStore(async (table) => {
    const userId = await findUserId(table, user);
    if (userId === undefined) throw notFound('user', user);
    const secret = randomPassword();
    await setPassword(table, systemUser, userId, secret);
    console.log(secret);
    console.error(`New password of ${user}.`);
  });
}

await runCommand({ name: 'password', help, options, run: password });
