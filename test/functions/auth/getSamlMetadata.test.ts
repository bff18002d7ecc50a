import { expect, onTestFinished, vi } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getSamlMetadata', { route: 'GET /auth/saml/metadata', may: 'anyone', request: () => ({}) });

test('An identity provider learns where to send assertions, and for whom', async ({ service }) => {
  vi.stubEnv('PUBLIC_URL', 'https://flags.example.com');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { text } = await service.get('/auth/saml/metadata', { token: null });
  expect(text).toContain('entityID="https://flags.example.com"');
  expect(text).toContain('Location="https://flags.example.com/auth/saml/callback"');
});
