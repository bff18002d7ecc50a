import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../lib/errors.ts';
import { checkAddon, masked, maskParameters, withoutSecrets } from '../../../lib/integrations/addon-parameters.ts';
import type { AddonInput } from '../../../lib/integrations/addon-schema.ts';

const url = 'https://example.com/hook';

/** Returns the checked parameters of a webhook; `stored` are those that it has. */
function checked(parameters: object, stored?: Readonly<Record<string, unknown>>, more: Partial<AddonInput> = {}) {
  const input = { provider: 'webhook', enabled: true, parameters, events: [], ...more };
  return checkAddon(input as unknown as AddonInput, stored).parameters;
}

/** Lists the problems of a webhook, as `path: message`. */
function problemsOf(...[parameters, stored, more]: Parameters<typeof checked>): string[] {
  try {
    checked(parameters, stored, more);
    return [];
  } catch (error) {
    if (error instanceof ApiError) return error.details.map(({ path, message }) => `${path}: ${message}`);
    throw error;
  }
}

describe('The parameters of an addon', () => {
  test('are those of its provider, without empty ones', () => {
    expect(checked({ url, contentType: '', authorization: null, bogus: 'x', bodyTemplate: '{}' })).toEqual({
      url,
      bodyTemplate: '{}',
    });
    expect(checkAddon({ provider: 'webhook', parameters: { url }, events: [] } as never).provider).toMatchObject({
      displayName: 'Webhook',
    });
  });

  test('keep a secret that is sent as its placeholder, and only a secret', () => {
    const stored = { url, authorization: 'Bearer x', contentType: 'text/plain' };
    expect(checked({ url: masked, authorization: masked, contentType: masked }, stored)).toEqual({
      url,
      authorization: 'Bearer x',
      contentType: masked,
    });
    expect(checked({ url, authorization: masked })).toEqual({ url });
  });

  test.each([
    ['webhook', { url: `${url}s`, authorization: masked }, ['Authorization']],
    ['webhook', { url, authorization: masked, secret: masked }, []],
    ['datadog', { url, apiKey: masked }, ['Datadog API key']],
    ['datadog', { apiKey: masked }, []],
    ['slack-app', { accessToken: masked }, []],
    ['new-relic', { url: `${url}s`, licenseKey: 'another', customHeaders: masked }, ['Extra HTTP Headers']],
  ])('send a secret that is kept to no other address: %s, %j', (provider, parameters, refused) => {
    const secrets = {
      accessToken: 'x',
      authorization: 'x',
      secret: 'x',
      apiKey: 'x',
      licenseKey: 'x',
      customHeaders: '{}',
    };
    const stored = { ...secrets, ...(provider !== 'datadog' && { url }) };
    expect(problemsOf(parameters, stored, { provider })).toEqual(
      refused.map((each) => expect.stringMatching(`: ${each} must be entered again, since the address has changed.`)),
    );
  });

  test.each([
    [{}, ['url: Webhook URL is required.']],
    [{ url: '' }, ['url: Webhook URL is required.']],
    [{ url: masked }, ['url: Webhook URL is required.']],
    [{ url: 5 }, ['url: Webhook URL must be text.']],
    [{ url: { toString: 1 } }, ['url: Webhook URL must be text.']],
    [{ url: 'ftp://example.com' }, ['url: Webhook URL must be an address with https:.']],
    [{ url: 'nowhere' }, ['url: Webhook URL must be an address with https:.']],
    [{ url: 'https://example.com', contentType: 'a\0' }, ['contentType: Content-Type must be text.']],
    [{ url, customHeaders: 'X: y' }, ['customHeaders: Extra HTTP Headers must be a JSON object of texts.']],
    [{ url, customHeaders: '["X"]' }, ['customHeaders: Extra HTTP Headers must be a JSON object of texts.']],
    [{ url, customHeaders: '{"X": 5}' }, ['customHeaders: Extra HTTP Headers must be a JSON object of texts.']],
    [{ url, customHeaders: '{"X": "y"}' }, []],
    [
      { url, customHeaders: '{"Trailer": "X", "Upgrade": "h2c"}' },
      ['customHeaders: Extra HTTP Headers must not set Trailer, Upgrade, which this service sets itself.'],
    ],
    [
      { url, contentType: 'text/plain\n', authorization: 'Bearer …' },
      ['contentType: Content-Type', 'authorization: Authorization'].map(
        (each) => `${each} must be one line, without characters that HTTP headers cannot contain.`,
      ),
    ],
    [{ contentType: 5 }, ['url: Webhook URL is required.', 'contentType: Content-Type must be text.']],
  ])('are refused as %j for %j', (parameters, problems) => {
    expect(problemsOf(parameters)).toEqual(problems.map((each) => `parameters.${each}`));
  });

  test('are refused together with events that the provider does not send, at most ten of them by name', () => {
    const unknown = Array.from({ length: 11 }, (_, index) => `event-${index}`);
    const message = `Webhook does not send ${unknown.slice(0, 10).join(', ')}.`;
    const events = ['feature-created', ...unknown];
    expect(problemsOf({}, {}, { events })).toEqual(['parameters.url: Webhook URL is required.', `events: ${message}`]);
    expect(problemsOf({ url }, {}, { events: ['feature-created'] })).toEqual([]);
  });

  test.each([
    [{ url, secret: 'x'.repeat(30_000) }, {}],
    [{ url }, { events: Array(2_000).fill('feature-created') }],
    [{ url }, { description: 'x'.repeat(30_000) }],
  ])('are refused where the addon is larger than a list of a hundred holds', (parameters, more) => {
    expect(problemsOf(parameters, {}, more)).toEqual(['undefined: An addon has at most 30000 characters in total.']);
  });

  test('may have that length in total', () => {
    const emptyLength = JSON.stringify({
      provider: 'webhook',
      enabled: true,
      parameters: { url },
      events: [],
      description: '',
    }).length;
    const description = 'x'.repeat(30_000 - emptyLength);
    expect(problemsOf({ url }, {}, { description })).toEqual([]);
    expect(problemsOf({ url }, {}, { description: `${description}x` })).toHaveLength(1);
  });

  test.each([
    ['pigeon', 'provider', /^The provider is unknown; choose one of webhook, /],
    ['eventbridge', 'parameters.busArn', /^ARN of the event bus must be the ARN of an event bus\.$/],
  ])('are refused together with what is wrong with the filters: %s', (provider, path, message) => {
    const unknown = { path: 'projects', message: 'No such project.' };
    const input = { provider, enabled: true, parameters: { busArn: 'flags' }, events: [] } as unknown as AddonInput;
    const problems = { details: [{ path, message: expect.stringMatching(message) }, unknown] };
    expect(() => checkAddon(input, {}, [unknown])).toThrow(expect.objectContaining(problems));
  });

  test('are shown without secrets, and not at all for an unknown provider', () => {
    const parameters = { url, authorization: 'Bearer x', contentType: 'text/plain', bogus: 'x' };
    expect(maskParameters('webhook', parameters)).toEqual({
      ...{ url: masked, authorization: masked, bogus: masked },
      contentType: 'text/plain',
    });
    expect(maskParameters('pigeon', { contentType: 'x' })).toEqual({ contentType: masked });
    expect(withoutSecrets('webhook', parameters)).toEqual({
      parameters: { contentType: 'text/plain' },
      removed: ['url', 'authorization', 'bogus'],
    });
    expect(withoutSecrets('webhook', {})).toEqual({ parameters: {}, removed: [] });
  });
});
