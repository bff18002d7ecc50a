import * as v from 'valibot';
import { expect, test } from 'vitest';
import { environmentOf } from '../../infra/function-environment.ts';
import { scopeWith } from './scope.ts';

const importing = { body: v.unknown(), bodyLimitVariable: 'IMPORT_BODY_LIMIT_BYTES' } as const;
const props = { tableName: 'flags', group: 'imports', settings: { metricsNamespace: 'Flags', console: false } };

test('what is not chosen is left to its default, yet declared', () => {
  expect(environmentOf(scopeWith({}), { ...props, declaration: importing })).toEqual({
    TABLE_NAME: 'flags',
    DYNAMODB_ENDPOINT: '',
    LOG_LEVEL: '',
    METRICS_NAMESPACE: 'Flags',
    METRICS_GROUP: 'imports',
    BODY_LIMIT_BYTES: '',
    IMPORT_BODY_LIMIT_BYTES: '',
    PROJECT_FEATURES_LIMIT: '',
    PROJECT_FEATURES_WARNING: '',
    API_TOKENS_LIMIT: '',
  });
});

test('the context chooses the log level and the limits, the latter for functions that take a body', () => {
  const scope = scopeWith({ LOG_LEVEL: 'DEBUG', BODY_LIMIT_BYTES: 200_000 });
  const limited = environmentOf(scope, { ...props, declaration: importing });
  expect(limited).toMatchObject({ LOG_LEVEL: 'DEBUG', BODY_LIMIT_BYTES: '200000' });
  const variables = environmentOf(scope, props);
  expect(variables.LOG_LEVEL).toBe('DEBUG');
  expect(variables).not.toHaveProperty('BODY_LIMIT_BYTES');
});

test('only the functions of tokens have the variable that keeps the secrets of client tokens readable', () => {
  const scope = scopeWith({ readableClientTokens: 'true' });
  expect(environmentOf(scope, { ...props, group: 'tokens' })).toMatchObject({ READABLE_CLIENT_TOKENS: 'true' });
  expect(environmentOf(scope, props)).not.toHaveProperty('READABLE_CLIENT_TOKENS');
});

test('only who answers the console, and who links it, learns where it lies, and only where it is deployed', () => {
  const settings = { ...props.settings, console: true };
  for (const group of ['notFound', 'service']) {
    expect(environmentOf(scopeWith({}), { ...props, group, settings })).toMatchObject({
      CONSOLE_DIRECTORY: '/var/task/console',
    });
    expect(environmentOf(scopeWith({}), { ...props, group })).not.toHaveProperty('CONSOLE_DIRECTORY');
  }
  expect(environmentOf(scopeWith({}), { ...props, settings })).not.toHaveProperty('CONSOLE_DIRECTORY');
});

test.each([
  { LOG_LEVEL: 'LOUD' },
  { readableClientTokens: 'yes' },
  { BODY_LIMIT_BYTES: 'much' },
  { IMPORT_BODY_LIMIT_BYTES: '0' },
  { PROJECT_FEATURES_LIMIT: '50001' },
  { API_TOKENS_LIMIT: '1.5' },
])('%o would fail in the function, so it fails before it is deployed', (context) => {
  const scope = scopeWith(context);
  expect(() => environmentOf(scope, { ...props, declaration: importing })).toThrow(Object.keys(context)[0]);
});
