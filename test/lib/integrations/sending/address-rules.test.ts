import { describe, expect, test } from 'vitest';
import {
  buildLookup,
  findAddressProblem,
  isAllowable,
  type Resolve,
  shareResolve,
} from '../../../../lib/integrations/sending/address-rules.ts';

const closed = { allowedHosts: [], ownPorts: [4242] };

/** Looks up a name that leads to these addresses, which are judged. */
function lookedUp(
  addresses: readonly string[],
  allowedHosts: readonly string[] = [],
  url = 'https://receiver.example',
) {
  const resolve: Resolve = (_, __, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  const look = buildLookup(new URL(url), { ...closed, allowedHosts }, resolve);
  return new Promise<string>((found) => {
    look(new URL(url).hostname, {}, (error, address) => found(error === null ? String(address) : error.name));
  });
}

test('A name is looked up once for concurrent callers, and again for later ones', async () => {
  const answers: (() => void)[] = [];
  const look = shareResolve((name, _, done) => {
    answers.push(() => done(null, [{ address: `of ${name}`, family: 4 }]));
  });
  const asked = (name: string) =>
    new Promise((found) => look(name, { all: true }, (_, addresses) => found(addresses[0]?.address)));
  const all = ['a', 'a', 'b', 'a'].map(asked);
  expect(answers).toHaveLength(2);
  for (const answer of answers.splice(0)) answer();
  expect(await Promise.all(all)).toEqual(['of a', 'of a', 'of b', 'of a']);
  void asked('a');
  expect(answers).toHaveLength(1);
});

describe('An address in a private network', () => {
  test.each([
    ...['127.0.0.1', '127.1', '0x7f.0.0.1', '0x7f000001', '2130706433', '017700000001', '0177.0.0.1', '0', '0.0.0.0'],
    ...['10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.0.1', '169.254.169.254', '100.64.0.1', '192.0.0.8'],
    ...['192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
    ...[
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::127.0.0.1]',
      '[fe80::1]',
      '[fd00:ec2::254]',
      '[fc00::1]',
    ],
    ...['[64:ff9b::7f00:1]', '[64:ff9b::10.0.0.1]', '[2002:7f00:1::]', '[2001:0:1::1]', '[2001:db8::1]', '[ff02::1]'],
    ...['[0:0:0:0:0:ffff:a9fe:a9fe]', '[100::1]', '[3fff::1]', 'localhost', 'LOCALHOST', 'localhost.', 'a.localhost'],
    ...['127.0.0.1.', '１２７.０.０.１', '127。0。0。1', '%31%32%37.0.0.1'],
  ])('%s is refused by what it is', (host) => {
    expect(findAddressProblem(`https://${host}/`, closed)).toMatch(/private network/);
  });

  test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '192.0.1.1', '[2606:4700::1111]', 'receiver.example'])(
    '%s is none',
    (host) => {
      expect(findAddressProblem(`https://${host}/`, closed)).toBeUndefined();
    },
  );

  test('is refused if it is any of the addresses of a name', async () => {
    expect(await lookedUp(['8.8.8.8'])).toBe('8.8.8.8');
    expect(await lookedUp(['8.8.8.8', '10.0.0.1'])).toBe('ForbiddenAddress');
    expect(await lookedUp(['2606:4700::1111', '::ffff:10.0.0.1'])).toBe('ForbiddenAddress');
    expect(await lookedUp(['fe80::1%eth0'])).toBe('ForbiddenAddress');
    expect(await lookedUp([])).toBe('Error');
  });

  test('is allowed by its name, its address or its range', async () => {
    expect(await lookedUp(['10.0.0.1'], ['receiver.example'])).toBe('10.0.0.1');
    expect(await lookedUp(['10.0.0.1'], ['*.example'])).toBe('10.0.0.1');
    expect(await lookedUp(['10.0.0.1'], ['receiver.example'], 'https://receiver.example.')).toBe('10.0.0.1');
    expect(await lookedUp(['10.0.0.1'], ['*.receiver.example', '*.ample'])).toBe('ForbiddenAddress');
    expect(await lookedUp(['10.0.0.1'], ['10.0.0.0/8'])).toBe('10.0.0.1');
    expect(await lookedUp(['10.0.0.1'], ['10.0.0.1'])).toBe('10.0.0.1');
    expect(await lookedUp(['10.0.0.1', '192.168.0.1'], ['10.0.0.0/8'])).toBe('ForbiddenAddress');
    expect(findAddressProblem('http://localhost:9000', { ...closed, allowedHosts: ['localhost'] })).toBeUndefined();
    expect(findAddressProblem('http://[fc00::1]', { ...closed, allowedHosts: ['fc00::/7'] })).toBeUndefined();
  });

  test('is never allowed if clouds hand out credentials there, or at a port of this service', async () => {
    const open = ['receiver.example', '169.254.0.0/16', '0.0.0.0/0', '::/0', 'localhost'];
    for (const address of [
      ...['169.254.169.254', '::ffff:a9fe:a9fe', 'fd00:ec2::254', 'fd20:ce::254'],
      ...['100.100.100.200', '192.0.0.192', '168.63.129.16'],
    ]) {
      expect(await lookedUp([address], open), address).toBe('ForbiddenAddress');
    }
    expect(await lookedUp(['127.0.0.1'], open, 'http://receiver.example:4242')).toBe('ForbiddenAddress');
    expect(await lookedUp(['::1'], open, 'http://receiver.example:4242')).toBe('ForbiddenAddress');
    expect(await lookedUp(['127.0.0.1'], open, 'http://receiver.example:4243')).toBe('127.0.0.1');
    expect(findAddressProblem('http://169.254.169.254', { ...closed, allowedHosts: open })).toMatch(/private network/);
  });
});

test.each([
  'ftp://receiver.example',
  'file:///etc/passwd',
  'http://receiver.example',
  'https://user@receiver.example',
  'https://user:password@receiver.example',
  'https://receiver.example:25',
  'https://receiver.example:6667',
  'receiver.example',
  '',
])('The address %j is refused', (address) => {
  expect(findAddressProblem(address, closed)).toMatch(/^must/);
});

test.each([
  ['localhost', true],
  ['receiver.example', true],
  ['10.0.0.0/8', true],
  ['::1', true],
  ['fc00::/7', true],
  ['10.0.0.0/33', false],
  ['10.0.0/8', false],
  ['https://receiver.example', false],
  ['*.internal', true],
  ['*', false],
  ['*.', false],
  ['a.*', false],
])('%j can be an allowed host: %s', (host, can) => {
  expect(isAllowable(host)).toBe(can);
});
