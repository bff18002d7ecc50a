import { parse, safeParse } from 'valibot';
import { expect, test } from 'vitest';
import { isLoopback, isWebAddress, webAddress } from '../../../lib/values/web-address.ts';

test.each([
  'https://idp.example.com',
  'https://idp.example.com:8443/sso?x=1#y',
  'http://localhost:4242/',
  'http://flags.localhost:4242',
  'http://127.0.0.1',
  'http://127.1.22.255:80',
  'http://[::1]:4242',
])('The address %s is safe', (address) => expect(isWebAddress(address)).toBe(true));

test.each([
  'http://idp.example.com',
  'http://localhost.example.com',
  'http://my-localhost',
  'http://127.0.0.1.example.com',
  'http://x127.0.0.1',
  'http://128.0.0.1',
  'http://[::2]',
  'ftp://localhost',
  'javascript:alert(1)',
  'idp.example.com',
  '/relative',
  '',
  'https://idp.example.com/a b',
  'https://idp.example.com/\nx',
  'https://idp.example.com/\u200b',
  ' https://idp.example.com',
])('The address %j is not safe', (address) => expect(isWebAddress(address)).toBe(false));

test('A web address is blank or valid', () => {
  for (const sent of ['', '  ', 'https://idp.example.com']) expect(parse(webAddress, sent)).toBe(sent);
  expect(safeParse(webAddress, 'http://idp.example.com').issues?.map(({ message }) => message)).toEqual([
    'An address that begins with https:// is required; http:// is for this machine only.',
  ]);
});

test('The loopback address of IPv6 may have brackets', () => {
  expect(['::1', '[::1]', '::2', '[::2]', '::ffff:127.0.0.1'].filter(isLoopback)).toEqual(['::1', '[::1]']);
});
