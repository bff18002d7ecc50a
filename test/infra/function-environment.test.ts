import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import * as registry from '../../functions/index.ts';
import { variablesOf } from '../../infra/function-environment.ts';
import { readsOf, variables } from '../../lib/http/declaration.ts';
import { scopeWith } from './scope.ts';

const settings = {
  metricsNamespace: 'Flags',
  console: 'off' as const,
  emailSender: undefined,
  smtpParameter: undefined,
  publicUrl: undefined,
};
const props = { tableName: 'flags', group: 'imports', settings, reads: [] };

test('a setting that is not set is declared with its default', () => {
  const always = {
    TABLE_NAME: 'flags',
    DYNAMODB_ENDPOINT: '',
    LOG_LEVEL: '',
    PUBLIC_URL: '',
    METRICS_NAMESPACE: 'Flags',
    METRICS_GROUP: 'imports',
    BODY_LIMIT_BYTES: '',
    FRONTEND_API_ORIGINS: '',
    TRUSTED_PROXIES: '',
  };
  expect(variablesOf(scopeWith({}), props)).toEqual(always);
  const unchosen = { ...Object.fromEntries(variables.map((each) => [each, ''])), CONSOLE: 'off' };
  expect(variablesOf(scopeWith({}), { ...props, reads: variables })).toEqual({ ...always, ...unchosen });
});

test('a setting reaches the functions that read it', () => {
  const chosen = {
    LOG_LEVEL: 'DEBUG',
    BODY_LIMIT_BYTES: '200000',
    IMPORT_BODY_LIMIT_BYTES: '300000',
    FRONTEND_API_ORIGINS: 'https://shop.example.com',
    TRUSTED_PROXIES: '1',
    API_TOKENS_LIMIT: '10',
    PROJECT_FEATURES_LIMIT: '20',
    PROJECT_FEATURES_WARNING: '30',
  };
  expect(variablesOf(scopeWith(chosen), { ...props, reads: variables })).toMatchObject(chosen);
  const { API_TOKENS_LIMIT } = chosen;
  const reading = variablesOf(scopeWith(chosen), { ...props, reads: ['API_TOKENS_LIMIT'] });
  expect(reading).toMatchObject({ API_TOKENS_LIMIT });
  expect(reading).not.toHaveProperty('PROJECT_FEATURES_LIMIT');
});

test('the names of variables and settings differ for readable tokens, mails and the console', () => {
  const scope = scopeWith({ readableClientTokens: 'true' });
  const deployed = {
    ...settings,
    console: 'flagstaff' as const,
    emailSender: 'flags@example.com',
    smtpParameter: '/flags/smtp',
  };
  expect(variablesOf(scope, { ...props, settings: deployed, reads: variables })).toMatchObject({
    READABLE_CLIENT_TOKENS: 'true',
    EMAIL_SENDER: 'flags@example.com',
    SMTP_PARAMETER: '/flags/smtp',
    CONSOLE: 'flagstaff',
    CONSOLE_DIRECTORY: '/var/task/console',
  });
});

test('only the functions that show the commit get it, so that a new commit changes no other functions', () => {
  vi.stubEnv('FLAGSTAFF_COMMIT', '0c1b1b78');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(variablesOf(scopeWith({}), props)).not.toHaveProperty('FLAGSTAFF_COMMIT');
  const reading = variablesOf(scopeWith({}), { ...props, reads: ['FLAGSTAFF_COMMIT'] });
  expect(reading).toMatchObject({ FLAGSTAFF_COMMIT: '0c1b1b78' });
  const telling = Object.values(registry).filter(({ declaration }) =>
    readsOf(declaration).includes('FLAGSTAFF_COMMIT'),
  );
  expect(telling).toEqual([registry.getConsoleStart, registry.getUiConfig]);
});

test.each([
  { LOG_LEVEL: 'LOUD' },
  { TRUSTED_PROXIES: '11' },
  { readableClientTokens: 'yes' },
  { BODY_LIMIT_BYTES: 'much' },
  { IMPORT_BODY_LIMIT_BYTES: '0' },
  { PROJECT_FEATURES_LIMIT: '50001' },
  { API_TOKENS_LIMIT: '1.5' },
  { FRONTEND_API_ORIGINS: 'shop.example.com' },
])('%o would fail in the function, so it fails before it is deployed', (context) => {
  const scope = scopeWith(context);
  expect(() => variablesOf(scope, props)).toThrow(Object.keys(context)[0]);
});

/** Variables that Lambda or the system sets, that the stack sets for a path, for what sends or for the clock, and that only the local server reads. */
const others =
  /^(AWS_[A-Z_]+|ALLOW|HOSTNAME|CHECKPOINT_(BUCKET|KEY)|CLOCK_RULE|LOG_FORMAT|NODE_REGION_CONFIG_[A-Z_]+)$/;

test('functions get every variable that their code reads', () => {
  const known = Object.keys(variablesOf(scopeWith({}), { ...props, reads: variables }));
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const sources = globSync('{lib,functions}/**/*.ts', { cwd: root })
    // The console runs in browsers, and shows code that reads variables.
    .filter((file) => !/^lib[\\/]console[\\/]/.test(file))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .filter((source) => /process\.env|ProcessEnv/.test(source));
  expect(sources.length).toBeGreaterThan(10);
  const read = sources.flatMap(
    (source) => source.match(/(?<!Number\.)\b[A-Z]+(_[A-Z]+)+\b|(?<=process\.env\.)[A-Z_]+/g) ?? [],
  );
  expect(new Set(read.filter((variable) => !known.includes(variable) && !others.test(variable)))).toEqual(new Set());
});
