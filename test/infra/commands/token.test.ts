import { beforeAll, describe, expect, test } from 'vitest';
import { edgeClients } from '../../../lib/delivery/edge/edge-clients.ts';
import { issueTokens } from '../../../lib/delivery/edge/issue-tokens.ts';
import { systemUser } from '../../../lib/events/actor.ts';
import { identify, loadCaller } from '../../../lib/identity/caller.ts';
import { hashOf, makeSecret } from '../../../lib/identity/tokens/token.ts';
import { listTokens, tokens } from '../../../lib/identity/tokens/tokens.ts';
import { prepareStore } from '../../../lib/imports/seed/fresh-store.ts';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { seedStore } from '../../../lib/imports/seed/seed-store.ts';
import { createApiToken } from '../../../lib/tokens/api-tokens.ts';
import { sharedTable } from '../../specifications/specify.ts';
import { refusal, runProgram, startCommand } from './run-command.ts';

const table = sharedTable();
beforeAll(async () => {
  await prepareStore(table, { adminTokens: [] });
});

const token = Object.assign((...args: string[]) => runProgram('token', args), {
  with: (settings: NodeJS.ProcessEnv, ...args: string[]) => runProgram('token', args, settings),
});

/** The id that a token is listed by. */
const idOf = (printed: string) => hashOf(printed.trim()).slice(0, 16);

async function callerBy(secret: string) {
  const found = await identify(table, secret);
  return found && loadCaller(table, found);
}

describe('the token command', () => {
  test('prints a token that may only propose changes, and says so in the list', async () => {
    const { stdout, stderr } = await token(
      '--user',
      'kim',
      '--role',
      'Editor',
      '--scope',
      'propose',
      '--name',
      'helper',
    );
    expect(stderr).toBe(`Token ${idOf(stdout)} for the agent helper of user kim (Editor), does not expire.\n`);
    const line = (await token('--list')).stdout.split('\n').find((each) => each.startsWith(idOf(stdout)));
    expect(line).toMatch(/ agent +kim .* proposes changes for Editor$/);
  });

  test('prints a new token of a new user and nothing else on stdout, and what it is on stderr', async () => {
    const args = ['--user', 'alice', '--project', 'default', '--project-role', 'Member'];
    const { code, stdout, stderr } = await startCommand('token', args);
    expect(code).toBe(0);
    expect(stderr).toBe(`Token ${idOf(stdout)} for user alice (Viewer; Member of default), does not expire.\n`);
    expect(stdout).toMatch(/^user:[0-9a-f]{56}\n$/);
    const caller = await callerBy(stdout.trim());
    expect(caller?.name).toBe('alice');
    expect(caller?.may('UPDATE_FEATURE', 'default')).toBe(true);
    expect(caller?.may('UPDATE_FEATURE', 'other')).toBe(false);
    expect(caller?.may('UPDATE_PROJECT', 'default')).toBe(false);
  });

  test('prints an admin token that expires when the option says', async () => {
    const { code, stdout, stderr } = await token('--admin', '--name', 'ci', '--expires', '30d');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\*:\*\.[0-9a-f]{56}\n$/);
    const found = await identify(table, stdout.trim());
    const day = found?.expiresAt?.slice(0, 10);
    expect(stderr).toBe(`Token ${idOf(stdout)} for admin ci, expires ${day}.\n`);
    const days = (Date.parse(found?.expiresAt ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29.99);
    expect(days).toBeLessThanOrEqual(30);
  });

  test('says to the minute when a token expires within a day', async () => {
    const { stderr } = await token('--user', 'dora', '--role', 'Editor', '--expires', '90m');
    expect(stderr).toMatch(/ for user dora \(Editor\), expires \d{4}-\d\d-\d\dT\d\d:\d\dZ\.\n$/);
    const minutes = (Date.parse(/expires (\S+)\./.exec(stderr)?.[1] ?? '') - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(88);
    expect(minutes).toBeLessThanOrEqual(90);
  });

  test('lists each token in one line, of which no name commands the terminal', async () => {
    const name = 'page\u001b[2K\nadmin';
    await createApiToken(table, systemUser, { kind: 'frontend', name, environment: 'development', projects: ['*'] });
    const lines = (await token('--list')).stdout.trim().split('\n');
    expect(lines.filter((line) => !/^(id|[0-9a-f]{16}) /.test(line))).toEqual([]);
    expect(lines.join('')).not.toMatch(/\p{Cc}/u);
  });

  test('lists tokens without secrets or hashes, and revokes one by the id in the list', async () => {
    const secret = (await token('--user', 'bob', '--project', 'default', '--project-role', 'Owner')).stdout.trim();
    await token('--admin', '--name', 'deployer');
    const { stdout: list } = await token('--list');
    const line = list.split('\n').find((each) => each.includes(' bob ')) ?? '';
    expect(list.split('\n')[0]).toMatch(/^id +kind +name +created +expires +may do$/);
    expect(line).toMatch(/^[0-9a-f]{16} +user +bob +\S+Z +never +Viewer; Owner of default$/);
    expect(list).toMatch(/^[0-9a-f]{16} +admin +deployer +\S+Z +never +everything$/m);
    expect(list).not.toContain(secret);
    expect(list).not.toContain(hashOf(secret));
    const id = line.slice(0, 16);
    expect(await token('--revoke', id)).toMatchObject({ code: 0, stderr: '' });
    expect((await listTokens(table)).some((each) => each.id === id)).toBe(false);
    const again = await token('--revoke', id);
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toContain(id);
  });

  test('prints a client token of several projects, and says what it reads', async () => {
    await seedStore(table, readSeed({ projects: [{ id: 'shop', environments: [] }] }));
    const { code, stdout, stderr } = await token(
      ...['--client', '--name', 'server', '--environment', 'production', '--project', 'default', '--project', 'shop'],
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\[\]:production\.[0-9a-f]{56}\n$/);
    expect(stderr).toBe(
      `Token ${idOf(stdout)} for client server (reads default, shop in production), does not expire.\n`,
    );
    expect(await identify(table, stdout.trim())).toMatchObject({ kind: 'client', projects: ['default', 'shop'] });
    const { stdout: list } = await token('--list');
    expect(list).toMatch(/^[0-9a-f]{16} +client +server +\S+Z +never +reads default, shop in production$/m);
  });

  test('prints a frontend token of all projects in development by default, and names unknown ones', async () => {
    const { stdout } = await token('--frontend', '--name', 'page', '--expires', '30d');
    expect(stdout).toMatch(/^\*:development\.[0-9a-f]{56}\n$/);
    expect(await identify(table, stdout.trim())).toMatchObject({ kind: 'frontend', projects: ['*'] });
    const refused = await token('--frontend', '--name', 'page', '--environment', 'qa');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('There is no environment "qa".');
  });

  test('adds a token in use by its secret, from a variable or from stdin, and prints no secret', async () => {
    const ofAll = makeSecret({ projects: ['*'], environment: 'production' });
    const args = ['--client', '--name', 'moved', '--in-use'];
    const added = await token.with({ SDK_TOKEN: ofAll }, ...args);
    expect(added).toEqual({
      code: 0,
      stdout: '',
      stderr: `Token ${idOf(ofAll)} for client moved (reads all projects in production), does not expire.\n`,
    });
    const several = makeSecret({ projects: ['a', 'b'], environment: 'production' });
    const { code, stdout, stderr } = await startCommand('token', [...args, '--project', 'default'], {}, `${several}\n`);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain('(reads default in production)');
    for (const secret of [ofAll, several]) expect(await identify(table, secret)).toMatchObject({ kind: 'client' });
  });

  test('adds no token in use whose secret can be guessed, unless it is public anyway', async () => {
    const secret = 'default:production.easily-guessed';
    const refused = await token.with({ SDK_TOKEN: secret }, '--client', '--name', 'moved', '--in-use');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/128 random bits(?!.*easily)/);
    expect(await token.with({ SDK_TOKEN: secret }, '--frontend', '--name', 'page', '--in-use')).toMatchObject({
      code: 0,
    });
  });

  test('prints the secret of a new edge client, lists it without that, and revokes it with its tokens', async () => {
    const { code, stdout, stderr } = await token('--edge', 'frankfurt');
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Secret of the edge client frankfurt, does not expire.\n' });
    expect(stdout).toMatch(/^[\w-]{43}\n$/);
    const secret = stdout.trim();
    const wanted = [{ environment: 'production', projects: ['*'] }];
    await issueTokens(table, (await edgeClients.load(table, 'frankfurt')).value, wanted);
    const { stdout: list } = await token('--list');
    expect(list).toMatch(/^frankfurt +edge +frankfurt +\S+Z +never +gets client tokens$/m);
    expect(list).toMatch(/^[0-9a-f]{16} +client +edge frankfurt +\S+Z +never +reads all projects in production$/m);
    expect(list).not.toContain(secret);
    const again = await token('--edge', 'frankfurt');
    expect(again).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'There is already an edge client with the id "frankfurt".\n',
    });
    expect((await token('--revoke-edge', 'frankfurt')).stdout).toBe(
      'Revoked the edge client frankfurt and its tokens.\n',
    );
    expect((await token('--list')).stdout).not.toContain('frankfurt');
    expect(await token('--revoke-edge', 'frankfurt')).toMatchObject({ code: 1, stdout: '' });
  });

  test('removes the secrets that the store keeps, while the tokens work on', async () => {
    process.env.READABLE_CLIENT_TOKENS = 'true';
    const request = { kind: 'client', name: 'terraform', projects: ['*'], environment: 'development' } as const;
    const { secret } = (await createApiToken(table, systemUser, request)).value;
    delete process.env.READABLE_CLIENT_TOKENS;
    const stored = async () => (await tokens.load(table, hashOf(secret))).value;
    expect((await stored()).secret).toBe(secret);
    expect((await token('--forget-secrets')).stdout).toBe('Removed the secrets of 1 client tokens.\n');
    expect((await stored()).secret).toBeUndefined();
    expect(await identify(table, secret)).toBeDefined();
    expect((await token('--forget-secrets')).stdout).toContain(' 0 ');
  });

  test('explains itself', async () => {
    const { code, stdout, stderr } = await token('--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const options = '--user --role --project-role --expires --admin --client --frontend --environment --in-use --edge';
    const others = '--list --revoke --revoke-edge --forget-secrets SDK_TOKEN DATA_DIR DYNAMODB_ENDPOINT';
    for (const word of `${options} ${others}`.split(' ')) expect(stdout).toContain(word);
  });

  test.each([
    { args: [], word: '--user' },
    { args: ['--bogus'], word: '--bogus' },
    { args: ['--user'], word: '--user' },
    { args: ['--user', ''], word: '--user' },
    { args: ['--user', 'x', '--list'], word: '--list' },
    { args: ['--user', 'x', '--name', 'y'], word: '--scope' },
    { args: ['--user', 'x', '--scope', 'everything'], word: 'propose' },
    { args: ['--client', '--name', 'x', '--scope', 'propose'], word: '--scope' },
    { args: ['--user', 'x', '--role', 'Owner'], word: 'Editor' },
    { args: ['--user', 'x', '--project', 'default'], word: '--project-role' },
    { args: ['--user', 'x', '--expires', '30'], word: '--expires' },
    { args: ['--user', 'x', '--expires', '0d'], word: '--expires must be' },
    { args: ['--user', 'x', '--expires', '-3d'], word: '--expires must be' },
    { args: ['--user', '-x'], word: '--user' },
    { args: ['--admin'], word: '--name' },
    { args: ['--edge', 'a b'], word: '--edge' },
    { args: ['--edge', 'x', '--name', 'y'], word: '--name' },
    { args: ['--client'], word: '--name' },
    { args: ['--client', '--frontend', '--name', 'x'], word: 'Exactly one' },
    { args: ['--user', 'x', '--project', 'a', '--project', 'b', '--project-role', 'Member'], word: 'one --project' },
    { args: ['stray'], word: 'stray' },
  ])('called as $args says what is wrong with $word, prints nothing and ends with 2', async ({ args, word }) => {
    const outcome = await token(...args);
    expect(outcome).toEqual(refusal(/^.* "npm run token -- --help" shows how to use it\.\n$/, 2));
    expect(outcome.stderr).toContain(word);
  });

  test('names an unknown project in one line and makes no user', async () => {
    const outcome = await token('--user', 'carol', '--project', 'nowhere', '--project-role', 'Owner');
    expect(outcome).toEqual(refusal(/^There is no project "nowhere"\.\n$/));
  });

  test('names the store that it cannot reach, soon', async () => {
    const settings = { DYNAMODB_ENDPOINT: 'http://127.0.0.1:1', TABLE_NAME: '' };
    expect(await runProgram('token', ['--list'], settings)).toEqual(refusal(/^.*http:\/\/127\.0\.0\.1:1.*\n$/));
  });

  test('names a table that does not exist', async () => {
    const outcome = await runProgram('token', ['--list'], { TABLE_NAME: 'no-such-table' });
    expect(outcome).toEqual(refusal(/^.*no-such-table.*\n$/));
  });

  test('takes a table name without an endpoint for a table at AWS', async () => {
    const settings = {
      DYNAMODB_ENDPOINT: '',
      DATA_DIR: '',
      TABLE_NAME: 'deployed',
      // Nothing is sent: without a region the SDK does not know where to.
      AWS_REGION: '',
      AWS_CONFIG_FILE: '/nonexistent',
      AWS_SHARED_CREDENTIALS_FILE: '/nonexistent',
      AWS_EC2_METADATA_DISABLED: 'true',
    };
    expect(await runProgram('token', ['--list'], settings)).toEqual(refusal(/^.*deployed at AWS.*\n$/));
  });
});
