import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { safeParse } from 'valibot';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ImportData, importData } from '../../../lib/imports/import-data-schema.ts';
import { splitImport } from '../../../lib/imports/import-parts.ts';
import { serveHere } from '../../harness/served.ts';
import { freshService, type Service } from '../../harness/service.ts';
import { folderOfTests } from '../../harness/test-folder.ts';
import { refusal, runProgram, startCommand } from './run-command.ts';

const example = fileURLToPath(new URL('../../fixtures/unleash-6.3.json', import.meta.url));
const target = ['--project', 'default', '--environment', 'development'];
/** About a third of the example. */
const smallBody = { BODY_LIMIT_BYTES: '20000' };

const folder = folderOfTests();
let exported: ImportData['data'];
beforeAll(async () => {
  exported = JSON.parse(await readFile(example, 'utf8'));
});

let service: Service;
let server: Awaited<ReturnType<typeof serveHere>>;
beforeEach(async () => {
  service = await freshService();
  server = await serveHere();
});
afterEach(() => server[Symbol.asyncDispose]());

const argsFor = (file: string) => [file, ...target, '--url', server.url];

function runImport(file: string, settings: NodeJS.ProcessEnv = {}, ...options: string[]) {
  const environment = { FLAGSTAFF_TOKEN: service.adminToken, ...settings };
  return runProgram('import', [...argsFor(file), ...options], environment);
}

async function fileOf(content: unknown): Promise<string> {
  const file = join(folder, 'export.json');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** Returns the imported features without the fields that differ between imports: ids and times. */
async function importedState(from: Service) {
  const views = await Promise.all(
    exported.features.map(({ name }) => from.put(`/api/admin/projects/default/features/${name}`)),
  );
  return views.map(({ body }) =>
    JSON.parse(JSON.stringify(body), (key, value) =>
      ['id', 'createdAt', 'enteredStageAt'].includes(key) ? undefined : value,
    ),
  );
}

describe('the import command', () => {
  test('reads a file with a byte order mark, as Windows writes it', async () => {
    const file = await fileOf(`\uFEFF${JSON.stringify(exported)}`);
    expect(await runImport(file, {}, '--dry-run')).toMatchObject({ code: 0, stderr: '' });
  });

  test('imports a file in one request if it fits, and says so', async () => {
    const settings = { FLAGSTAFF_TOKEN: service.adminToken };
    const { code, stdout, stderr } = await startCommand('import', argsFor(example), settings);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^Sent 48 features and 70 strategies to project "default", environment "development", in 1 request and \d+\.\d s\.\nFeatures: 48 created, 0 changed, 0 unchanged\.\nAlso created: context field "appVersion", [^\n]*, tag type "team"[^\n]*\.\n(Not imported:|$)/,
    );
    expect(await importedState(service)).toMatchObject(exported.features);
  });

  test('counts created, changed and unchanged features, and lists the parts that were not imported, with reasons', async () => {
    const file = (stale: boolean) =>
      fileOf({
        features: [
          { name: 'one', project: 'shop', stale, tags: [{ type: 'simple', value: 'lost' }] },
          { name: 'two', project: 'default' },
          { name: 'three', archived: true },
        ],
        featureStrategies: [{ name: 'default', featureName: 'two', milestones: [{ name: 'one' }] }],
        featureEnvironments: [
          { name: 'production', environment: 'production', featureName: 'one', enabled: true },
          { name: 'development', environment: 'development', featureName: 'two', enabled: true },
        ],
        contextFields: [{ name: 'plan' }],
        tagTypes: [],
        releasePlans: [{ name: 'all' }],
      });
    const first = await runImport(await file(false));
    expect(first.stdout.trim().split('\n').slice(1)).toEqual([
      'Features: 3 created, 0 changed, 0 unchanged.',
      'Also created: context field "plan".',
      'Not imported:',
      '- the project "shop", which 1 feature names: everything is imported into "default".',
      '- the environment "production", which 1 feature state names: everything is imported into "development".',
      '- the property "tags" of 1 feature: it is unknown.',
      '- the property "milestones" of 1 strategy: it is unknown.',
      '- the list "releasePlans": it is unknown.',
    ]);
    const { stdout } = await runImport(await file(true));
    expect(stdout).toContain('Features: 0 created, 1 changed, 2 unchanged.\nNot imported:');
    expect(stdout).toContain('- context field "plan": already in the service, and not changed.');
    expect(stdout).toContain(
      '- feature "three": archived in the service, and not imported; revive it first to import it.',
    );
  });

  test('imports a file in parts with the same result as in one request, including dependencies, tags and tag types', async () => {
    expect(await runImport(example, smallBody)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/in 4 requests/),
    });
    const inParts = await importedState(service);
    const other = await freshService();
    await other.post('/api/admin/features-batch/import', {
      project: 'default',
      environment: 'development',
      data: exported,
    });
    expect(inParts).toEqual(await importedState(other));
  });

  test('completes what an earlier run began', async () => {
    const file = safeParse(importData, { project: 'default', environment: 'development', data: exported });
    const [shared, first] = splitImport(file.output as ImportData, 20_000);
    await service.post('/api/admin/features-batch/import', shared);
    await service.post('/api/admin/features-batch/import', first);
    const before = await service.get(`/api/admin/events/${first?.data.features[0]?.name}`);

    expect(await runImport(example, smallBody)).toMatchObject({ code: 0 });
    expect(await importedState(service)).toMatchObject(exported.features);
    expect((await service.get(`/api/admin/events/${first?.data.features[0]?.name}`)).body).toEqual(before.body);
  });

  test('accepts a complete import body as well as an export', async () => {
    const file = await fileOf({ project: 'elsewhere', environment: 'production', data: exported });
    expect(await runImport(file)).toMatchObject({ code: 0 });
    expect(await importedState(service)).toMatchObject(exported.features);
  });

  test('refuses a file in which features depend on each other in a circle or a chain, and sends nothing', async () => {
    const features = ['a', 'b', 'c'].map((name) => ({ name }));
    const links = (...pairs: [string, string][]) =>
      pairs.map(([feature, parent]) => ({ feature, dependencies: [{ feature: parent }] }));
    for (const dependencies of [links(['a', 'b'], ['b', 'a']), links(['a', 'b'], ['b', 'c']), links(['a', 'a'])]) {
      const file = await fileOf({ features, featureStrategies: [], tagTypes: [], dependencies });
      const reason = /^dependencies\.0\.dependencies\.0: .*(depends on another feature|depend on) itself/;
      expect(await runImport(file)).toEqual(refusal(reason));
    }
    expect((await service.get('/api/admin/events/a')).body.totalEvents).toBe(0);
  });

  test('sends nothing in a dry run', async () => {
    expect(await runImport(example, smallBody, '--dry-run')).toEqual({
      code: 0,
      stdout: 'The file is valid: 48 features and 70 strategies, in 4 requests. Nothing was sent.\n',
      stderr: '',
    });
    expect((await service.get('/api/admin/events/billing.beta')).body.totalEvents).toBe(0);
  });

  test('names every problem of a file and sends nothing', async () => {
    const features = [...exported.features, { name: 'billing.beta' }, { name: 'not a name' }];
    const { code, stdout, stderr } = await runImport(await fileOf({ ...exported, features }));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trim().split('\n')).toEqual([
      'features: The feature "billing.beta" appears in the file more than once.',
      expect.stringMatching(/^features\.49\.name: "not a name" cannot be the name of a feature\. A name has /),
    ]);
    expect((await service.get('/api/admin/events/billing.beta')).body.totalEvents).toBe(0);
  });

  test('reports the path of each problem in a complete import body', async () => {
    const file = await fileOf({ data: { ...exported, features: [...exported.features, { name: 5 }] } });
    expect(await runImport(file)).toEqual(refusal(/^data\.features\.48\.name: .*\n$/));
  });

  test.each([
    ['invalid JSON', '{', /^\S+ is not valid JSON: .*\n$/],
    ['a list', '[]', /^\S+ is not an Unleash export: Invalid type: .*\n$/],
    [
      'an unrelated object',
      '{ "name": "flagstaff" }',
      /^\S+ is not an Unleash export: features: .* featureStrategies: .*\n$/,
    ],
    ['an import body without an export', '{ "data": {} }', /^\S+ is not an Unleash export: data\.features: .*\n$/],
  ])('prints one line of error for a file that contains %s', async (_kind, content, reason) => {
    expect(await runImport(await fileOf(content))).toEqual(refusal(reason));
  });

  test.each(['/api/admin', '/api/admin/'])('accepts an address of the service that ends in %s', async (suffix) => {
    const file = await fileOf({ features: [{ name: 'checkout' }], featureStrategies: [], tagTypes: [] });
    expect(await runImport(file, {}, '--url', `${server.url}${suffix}`)).toMatchObject({ code: 0, stderr: '' });
    expect((await service.get('/api/admin/events/checkout')).body.totalEvents).toBe(1);
  });

  test('says what to set if the service has another body limit', async () => {
    vi.stubEnv('BODY_LIMIT_BYTES', '1000');
    const reason = /^In request 1 of 1: 413 .* Set BODY_LIMIT_BYTES for this command to that of the service\.\n$/;
    expect(await runImport(example, { BODY_LIMIT_BYTES: '' })).toEqual(refusal(reason));
  });

  test('tells which feature is too large for a request', async () => {
    const features = [{ name: 'huge', description: 'x'.repeat(20_000) }];
    const file = await fileOf({ features, featureStrategies: [], tagTypes: [] });
    const reason = /^The feature "huge" alone takes 20\d{3} bytes; a request may have 20000\.\n$/;
    expect(await runImport(file, smallBody)).toEqual(refusal(reason));
  });

  test('prints the errors of the service, with a line for each problem', async () => {
    const strategies = ['one', 'two'].map((name) => ({ name, featureName: 'checkout' }));
    const file = await fileOf({ features: [{ name: 'checkout' }], featureStrategies: strategies, tagTypes: [] });
    const { code, stderr } = await runImport(file);
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([
      'In request 1 of 1: 400 ValidationError: The request has 2 problems; the details list them.',
      'data.featureStrategies.0.name: There is no strategy type "one".',
      'data.featureStrategies.1.name: There is no strategy type "two".',
    ]);
  });

  test('prints one line of error if the token is invalid or missing', async () => {
    const wrong = await runImport(example, { FLAGSTAFF_TOKEN: '*:*.wrong' });
    expect(wrong).toEqual(refusal(/^In request 1 of 1: 401 AuthenticationRequired: .*\n$/));
    const none = await runImport(example, { FLAGSTAFF_TOKEN: '' });
    expect(none).toEqual(
      refusal(/^In request 1 of 1: The service does not accept the insecure local token\. Set FLAGSTAFF_TOKEN .*\n$/),
    );
  });

  test.each([
    [['--project', 'default'], '--project and --environment are required.'],
    [[...target, '--nothing'], "Unknown option '--nothing'."],
    [[...target, '--url', 'ftp://example.com'], '--url must be an http or https address, not "ftp://example.com".'],
    [[...target, '--url', 'https://me:my-password@example.com'], '--url must not contain a user name or a password.'],
    [[...target, '--url', 'https://example.com'], '--token or the variable FLAGSTAFF_TOKEN is required.'],
  ])('called with %j says what is wrong', async (args, reason) => {
    const { code, stderr } = await runProgram('import', [example, ...args], { FLAGSTAFF_TOKEN: '' });
    expect(code).toBe(2);
    expect(stderr).toBe(`${reason} "npm run import -- --help" shows how to use it.\n`);
  });
});
