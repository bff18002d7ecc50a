import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, expect, test, vi } from 'vitest';
import { processorMsSince } from '../../../harness/processor-time.ts';
import {
  requestIdIn,
  samlAnswer,
  samlForm,
  samlProviderSettings,
  samlResponse,
} from '../../../harness/saml-provider.ts';
import { freshService, type Service } from '../../../harness/service.ts';

// Anybody may post to the callback. What a response costs before its signature is verified is bounded, whatever it holds.

const headers = { 'content-type': 'application/x-www-form-urlencoded' };
const email = 'zoe@example.com';
const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' });
let service: Service;
beforeAll(async () => {
  service = await freshService();
  await service.post('/api/admin/auth/saml/settings', samlProviderSettings);
  await post(await samlAnswer({ requestId: await begin(), email }));
});

const begin = async () => requestIdIn(await service.get('/auth/saml/login', { token: null }));
const post = (body: string) => service.call('POST', '/auth/saml/callback', { token: null, body, headers });

const filled = (room: number, piece: (index: number) => string): string => {
  const pieces: string[] = [];
  for (let left = room; left > 0; left -= pieces.at(-1)?.length ?? 0) pieces.push(piece(pieces.length));
  return pieces.join('');
};
const inResponse = (inner: string, attributes = '') =>
  `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"${attributes}>${inner}</samlp:Response>`;
const signature = '<Signature xmlns="http://www.w3.org/2000/09/xmldsig#">';
const full = (piece: string) => (room: number) => inResponse(piece.repeat(room / piece.length));

const shapes: Record<string, (room: number) => string> = {
  'of many elements': full('<a></a>'),
  'of many empty elements': full('<a/>'),
  'of many elements that do not end': full('<a>'),
  'of many ends of elements': full('</a>'),
  'of many names': (room) => inResponse(filled(room, (index) => `<a${index}></a${index}>`)),
  'of many attributes': (room) =>
    inResponse(
      '',
      filled(room, (index) => ` a${index}=""`),
    ),
  'of one attribute many times': (room) => inResponse('', ' a=""'.repeat(room / 5)),
  'of attributes without values': (room) =>
    inResponse(
      '',
      filled(room, (index) => ` a${index}`),
    ),
  'of many namespaces': (room) =>
    inResponse(
      '',
      filled(room, (index) => ` xmlns:a${index}="b"`),
    ),
  'of nested namespaces': (room) => filled(room, (index) => `<a xmlns:a${index}="b">`),
  'of quotes that do not end': full('<a b="'),
  'of comments': full('<!---->'),
  'of comments that do not end': full('<!--'),
  'of CDATA': full('<![CDATA[]]>'),
  'of CDATA that does not end': full('<![CDATA['),
  'of instructions': full('<?a?>'),
  'of instructions that do not end': full('<?a '),
  'with a document type': (room) =>
    `<!DOCTYPE a [${'<!ENTITY a "&a;&a;">'.repeat(room / 20)}]>${inResponse(`${signature}</Signature>`)}`,
  'of document types': full('<!DOCTYPE a '),
  'of entities': full('&lt;'),
  'of unknown entities': full('&a;'),
  'of ampersands': full('&a'),
  'of less-than signs': full('<'),
  'of blanks in a tag': (room) => `<a${' '.repeat(room)}b`,
  'of blanks in an end': (room) => inResponse(`</${' '.repeat(room)}b`),
  'of lines': full('\n'),
  'of lines of old systems': full('\r'),
  'of text without markup': (room) => 'a'.repeat(room),
  'of deep nesting': (room) => `${'<a>'.repeat(room / 7)}${'</a>'.repeat(room / 7)}`,
  'of nested responses': (room) => '<samlp:Response>'.repeat(room / 16),
  'of many signatures': full(`${signature}</Signature>`),
  'of nested signatures': full(signature),
  'of a huge signature': (room) =>
    inResponse(`${signature}<SignatureValue>${'A'.repeat(room)}</SignatureValue></Signature>`),
  'of HTML': full('<script xmlns="http://www.w3.org/1999/xhtml">'),
};

test.each(Object.entries(shapes))('A response %s costs little, and is refused', async (_what, shape) => {
  const large = samlForm(shape(74_000)).length;
  expect(await costOf(samlForm(shape(Math.floor((74_000 * 102_000) / large) - 300)))).toBeLessThan(500);
});

const parts = {
  elements: (xml: string, inner: string) => xml.replace('</saml:Subject>', `</saml:Subject>${inner}`),
  transform: (xml: string, inner: string) => xml.replace(/<ds:Transform [^>]*exc-c14n#"\/>/, inner),
};
const room = 68_000;
const c14n = '<ds:Transform Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"';
const list = (prefixes: string) =>
  `${c14n}><InclusiveNamespaces xmlns="http://www.w3.org/2001/10/xml-exc-c14n#" PrefixList="${prefixes}"/></ds:Transform>`;
const attributesOf = (each: (index: number) => string) =>
  Array.from({ length: 14 }, (_, index) => each(index)).join('');
const times = (count: number, each: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => each(index)).join('');
const nested = (depth: number, each: (index: number) => string, inner: string) =>
  `${times(depth, each)}${inner}${'</a>'.repeat(depth)}`;

// These go all the way to the signature, which somebody else has made.
const signed: Record<string, (xml: string) => string> = {
  'of as many elements as there may be': (xml) =>
    parts.elements(
      xml,
      times(1_450, () => '<a>b</a>'),
    ),
  'of as many attributes as there is room for': (xml) =>
    parts.elements(
      xml,
      filled(room, () => `<a${attributesOf((index) => ` a${index}=""`)}/>`),
    ),
  'of as many namespaces as there is room for': (xml) =>
    parts.elements(
      xml,
      filled(room, (element) => `<a${attributesOf((index) => ` xmlns:a${element}_${index}="b"`)}/>`),
    ),
  'of elements in as many namespaces as there may be': (xml) =>
    parts.elements(
      xml,
      nested(
        28,
        (depth) => `<a${attributesOf((index) => ` xmlns:a${depth}_${index}="b"`)}>`,
        times(1_400, (index) => `<a${index % 28}_${index % 14}:a/>`),
      ),
    ),
  'of elements that bring the same namespaces': (xml) =>
    parts.elements(
      xml,
      times(1_200, () => '<a:a xmlns:a="b" xmlns:c="d" a:b="" c:d=""/>'),
    ),
  'of lines and entities': (xml) => parts.elements(xml, `<a>${'\r\n&lt;'.repeat(room / 6)}</a>`),
  'of a long attribute': (xml) =>
    parts.elements(
      xml,
      times(16, () => `<a b="${'&lt;'.repeat(1_000)}"/>`),
    ),
  'of as many equal ids as there may be': (xml) =>
    parts.elements(
      xml,
      times(1_400, () => '<a ID="_a" Id="_a" id="_a"/>'),
    ),
};

test.each(Object.entries(signed))(
  'A signed response %s costs little before its signature is looked at',
  async (_what, edit) => {
    const body = await samlAnswer({ requestId: await begin(), email, key: key.toString(), edit });
    expect(await costOf(body)).toBeLessThan(1_500);
  },
);

const resigned: Record<string, (xml: string) => string> = {
  'with a long list of namespaces': (xml) => parts.transform(xml, list('a '.repeat(2_000))),
  'with two signatures and a namespace for each element': (xml) => {
    const [signature = ''] = /<ds:Signature.*<\/ds:Signature>/s.exec(xml) ?? [];
    const elements = times(700, (index) => `<b:a xmlns:b="u${index}" xmlns:c="v${index}" c:d="" b:e=""/>`);
    return parts
      .elements(xml, elements)
      .replace('<samlp:Status>', `${signature.replace('#_assertion', '#_response')}<samlp:Status>`);
  },
  'with several of its transforms': (xml) => parts.transform(xml, c14n.concat('/>').repeat(2)),
  'with transforms of another name': (xml) =>
    parts.transform(xml, '<Transform xmlns="b" Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>'.repeat(700)),
  'with parts of signatures in it': (xml) =>
    parts.elements(
      xml,
      times(700, () => '<SignedInfo/><Reference/><CanonicalizationMethod/>'),
    ),
};

test.each(Object.entries(resigned))('A response %s costs little', async (_what, edit) => {
  const xml = await samlResponse({ requestId: await begin(), email, key: key.toString() });
  expect(edit(xml)).not.toBe(xml);
  expect(await costOf(samlForm(edit(xml)))).toBeLessThan(1_500);
});

test('An assertion with a thousand groups signs its user in', async () => {
  const values = times(1_000, (index) => `<saml:AttributeValue>${index}</saml:AttributeValue>`);
  const statement = `<saml:AttributeStatement><saml:Attribute Name="groups">${values}</saml:Attribute></saml:AttributeStatement>`;
  const edit = (xml: string) => xml.replace('</saml:Assertion>', `${statement}</saml:Assertion>`);
  expect((await post(await samlAnswer({ requestId: await begin(), email, edit }))).status).toBe(302);
});

test('A form above 100 kB is refused, whatever the limit of other bodies', async () => {
  vi.stubEnv('BODY_LIMIT_BYTES', '1000000');
  expect(await post(samlForm('a'.repeat(80_000)))).toMatchObject({ status: 413 });
});

/** In milliseconds of the processor. */
async function costOf(body: string): Promise<number> {
  expect(body.length).toBeLessThanOrEqual(102_400);
  const start = process.cpuUsage();
  const { status } = await post(body);
  const cost = processorMsSince(start);
  expect(status).toBe(401);
  return cost;
}
