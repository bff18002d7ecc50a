import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };
import { listening } from '../harness/listening.ts';
import { freshService } from '../harness/service.ts';
import { storeEndpoint } from '../harness/store-endpoint.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { folderInTest } from '../harness/test-folder.ts';
import { World } from '../harness/world.ts';
import { startRuntime } from './local/local-runtime.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

const containerfile = readFileSync(join(root, 'infra/Containerfile'), 'utf8');
/** The files and folders of the repository that the image is built from. */
const copiedFiles = [...containerfile.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, names = '']) =>
  names.split(' '),
);

/** The programs of package.json that people use to run the service. The others need the repository. */
const commands = Object.entries(packageFile.scripts).flatMap(([name, line]) =>
  / infra\/(?:local|commands)\/(?!bundle)\S+$/.test(line) ? [name] : [],
);

describe('The bundle', () => {
  let folder: string;
  let files: string[];
  beforeAll(async () => {
    const parent = temporaryFolder();
    folder = join(parent.path, 'bundle');
    // As the image is built: from the files that are copied, and with the packages.
    const source = join(parent.path, 'source');
    for (const name of copiedFiles) await cp(join(root, name), join(source, name), { recursive: true });
    await symlink(join(root, 'node_modules'), join(source, 'node_modules'));
    const env = { PATH: process.env.PATH, FLAGSTAFF_COMMIT: '0c1b1b78' };
    await run(process.execPath, ['infra/program/bundle.ts', folder], { cwd: source, env });
    files = await listFiles();
    return () => parent[Symbol.dispose]();
  });

  const listFiles = async () => (await readdir(folder, { recursive: true })).toSorted();

  /** Runs it where there is nothing besides Node. */
  async function call(args: readonly string[], { cwd = folderInTest(), before = [] as readonly string[] } = {}) {
    const line = [...before, join(folder, 'flagstaff.mjs'), ...args];
    const { code = 0, stdout, stderr } = await run(process.execPath, line, { cwd, env: {} }).catch((error) => error);
    return { code, stdout, stderr };
  }

  const start = (variables: Readonly<Record<string, string>>, cwd = folderInTest()) =>
    startRuntime({ PATH: '', ...variables }, { args: [join(folder, 'flagstaff.mjs'), 'start'], cwd });

  test('serves the API, the console and the API reference with nothing but Node, and keeps its data where it was started', async () => {
    const cwd = folderInTest();
    const { printed, url, signal, ended, status } = await start({ DATA_DIR: '' }, cwd);
    expect(printed).toContain(`${packageFile.version}+0c1b1b78 serves`);
    const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
    const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(page) ?? [];
    for (const path of ['/health', script, '/docs', '/docs/swagger-ui-bundle.js']) {
      expect((await fetch(new URL(path, url))).status, path).toBe(200);
    }

    const { stdout } = await call(['token', '--client', '--name', 'shop'], { cwd });
    expect(await status('/api/client/features', stdout.trim())).toBe(200);
    signal('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, problems: [] });
    expect(await readdir(cwd)).toEqual(['.data']);
    expect(await listFiles()).toEqual(files);
  });

  test('serves SDKs as a relay, and nobody else', async () => {
    const service = await freshService();
    const world = new World(service);
    const { name } = await world.feature({ on: true });
    const client = await world.sdkToken('client');
    const { TABLE_NAME = '' } = process.env;
    const relay = await start({ RELAY: 'true', DYNAMODB_ENDPOINT: storeEndpoint(), TABLE_NAME });
    const answer = await relay.ask('/api/client/features', client);
    expect(await answer.json()).toMatchObject({ features: [{ name, enabled: true }] });
    expect(await relay.status('/api/admin/projects', service.adminToken)).toBe(404);
    relay.signal('SIGTERM');
    expect(await relay.ended).toMatchObject({ code: 0 });
  });

  test('has all commands of package.json that need no repository, and lists them with a line each', async () => {
    expect(commands).toEqual(expect.arrayContaining(['start', 'token', 'backup']));
    const { code, stdout } = await call(['--help']);
    expect(code).toBe(0);
    const listed = [...stdout.matchAll(/^ {2}([a-z][\w-]*) {2,}\S/gm)].map(([, name]) => name);
    expect(listed.filter((name) => name !== 'flagstaff').toSorted()).toEqual(commands.toSorted());
    expect(await call([])).toMatchObject({ code: 0, stdout });
    expect(await call(['--version'])).toMatchObject({ code: 0, stdout: `${packageFile.version}+0c1b1b78\n` });
  });

  test.each(commands)('names the command %s as it is called', async (name) => {
    const { code, stdout, stderr } = await call([name, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`flagstaff ${name}`);
    expect(stdout).not.toMatch(/npm (?:run|start)/);
  });

  test('names no command of a clone in a message or on a page, except those that need one', async () => {
    const code = files.filter((file) => /^(?:code|console)\b.*js$/.test(file));
    const texts = await Promise.all(code.map((file) => readFile(join(folder, file), 'utf8')));
    const named = texts.flatMap((text) => text.match(/npm (?:start|run [\w:${-]+)/g) ?? []);
    expect([...new Set(named)].toSorted()).toEqual(['npm run bundle', 'npm run generate']);
  });

  test('refuses an unknown command and an unknown option in one line', async () => {
    expect(await call(['tokens'])).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^There is no command "tokens"\. The commands are start, token, .*\n$/),
    });
    const { code, stderr } = await call(['token', '--bogus']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('"flagstaff token --help" shows') });
  });

  test('says on a Node that is too old which one it needs', async () => {
    const older = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })";
    const before = ['--import', `data:text/javascript,${older}`];
    expect(await call(['start'], { before })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Node 24.15 or newer is needed, and this is 20.20.2.\n',
    });
  });

  test('is a package of its own files that needs no other and has nothing native in it, with the licences of all code', async () => {
    const about = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    expect(about).toMatchObject({
      name: 'flagstaff',
      version: packageFile.version,
      bin: { flagstaff: 'flagstaff.mjs' },
    });
    expect(Object.keys(about)).not.toEqual(expect.arrayContaining([expect.stringMatching(/dependencies|private/i)]));
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md']));
    // npm packs these, and the package.json. All else, such as the data of a server that was started in the folder, stays out.
    expect([...about.files, 'package.json'].toSorted()).toEqual((await readdir(folder)).toSorted());
    expect(files.filter((file) => /\.(?:node|wasm|ts|map)$/.test(file))).toEqual([]);
    const licences = await readFile(join(folder, 'LICENSES-OF-PACKAGES.txt'), 'utf8');
    for (const name of ['valibot', '@middy/core', 'preact', 'swagger-ui-dist']) expect(licences).toContain(`${name} `);
  });
});

test('A bundle is not written over other files', async () => {
  const directory = folderInTest();
  await mkdir(join(directory, 'own'));
  await writeFile(join(directory, 'own/file'), '');
  await expect(
    run(process.execPath, [join(root, 'infra/program/bundle.ts'), join(directory, 'own')]),
  ).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not empty'),
  });
  expect(await readdir(join(directory, 'own'))).toEqual(['file']);
});

describe('The image', () => {
  test('limits the memory of the server as npm start does, and so does the unit of systemd', async () => {
    const [flag = ''] = /--max-semi-space-size=\d+/.exec(packageFile.scripts.start) ?? [];
    expect(containerfile).toContain(`ENTRYPOINT ["node", "${flag}", "flagstaff.mjs"]`);
    const unit = await readFile(join(root, 'infra/hosting/flagstaff.service'), 'utf8');
    expect(unit).toContain(`${flag} /opt/flagstaff/flagstaff.mjs start\n`);
  });

  test('is built from nothing that it does not copy', async () => {
    const ignored = await readFile(join(root, 'infra/Containerfile.dockerignore'), 'utf8');
    expect(ignored.trim().split('\n').toSorted()).toEqual(['*', ...copiedFiles.map((name) => `!${name}`)].toSorted());
  });

  test('checks the health of the server at its configured port', async () => {
    const [, check = ''] = /^HEALTHCHECK .*CMD (.+)$/m.exec(containerfile) ?? [];
    const [, ...args]: string[] = JSON.parse(check);
    let status = 200;
    const asked: (string | undefined)[] = [];
    await using server = await listening((incoming, outgoing) => {
      asked.push(incoming.url);
      outgoing.writeHead(status).end();
    });
    const checkHealth = () => run(process.execPath, args, { env: { PORT: new URL(server.url).port } });
    await checkHealth();
    status = 503;
    await expect(checkHealth()).rejects.toMatchObject({ code: 1 });
    expect(asked).toEqual(['/health', '/health']);
  });
});
