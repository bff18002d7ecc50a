import { generateKeyPairSync } from 'node:crypto';
import { samlForm, samlResponse } from './saml-provider.ts';

// Anybody may post to the callback. These responses are about as large as it takes, and made to be expensive.

/** Most bytes of a form that the callback takes. */
const formBytesMax = 102_400;
const room = 68_000;

const filled = (room: number, piece: (index: number) => string): string => {
  const pieces: string[] = [];
  for (let left = room; left > 0; left -= pieces.at(-1)?.length ?? 0) pieces.push(piece(pieces.length));
  return pieces.join('');
};
const inResponse = (inner: string) =>
  `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol">${inner}</samlp:Response>`;
const signature = '<Signature xmlns="http://www.w3.org/2000/09/xmldsig#">';

/** Responses that no identity provider sends, by their content: those that repeat something, and others. */
const shapes: Record<string, (room: number) => string> = {
  ...Object.fromEntries(
    Object.entries({
      'many elements': '<a></a>',
      'many empty elements': '<a/>',
      'many elements that do not end': '<a>',
      'many ends of elements': '</a>',
      'quotes that do not end': '<a b="',
      comments: '<!---->',
      'comments that do not end': '<!--',
      CDATA: '<![CDATA[]]>',
      'CDATA that does not end': '<![CDATA[',
      instructions: '<?a?>',
      'instructions that do not end': '<?a ',
      'document types': '<!DOCTYPE a ',
      entities: '&lt;',
      'unknown entities': '&a;',
      ampersands: '&a',
      'less-than signs': '<',
      lines: '\n',
      'lines of old systems': '\r',
      'many signatures': `${signature}</Signature>`,
      'nested signatures': signature,
      'nested responses': '<samlp:Response>',
      HTML: '<script xmlns="http://www.w3.org/1999/xhtml">',
    }).map(([content, piece]) => [content, (room: number) => inResponse(piece.repeat(room / piece.length))]),
  ),
  'many names': (room) => inResponse(filled(room, (index) => `<a${index}></a${index}>`)),
  'many attributes': (room) => `<a${filled(room, (index) => ` a${index}=""`)}/>`,
  'one attribute many times': (room) => `<a${' a=""'.repeat(room / 5)}/>`,
  'attributes without values': (room) => `<a${filled(room, (index) => ` a${index}`)}/>`,
  'many namespaces': (room) => `<a${filled(room, (index) => ` xmlns:a${index}="b"`)}/>`,
  'nested namespaces': (room) => filled(room, (index) => `<a xmlns:a${index}="b">`),
  'a document type': (room) => `<!DOCTYPE a [${'<!ENTITY a "&a;&a;">'.repeat(room / 20)}]>${inResponse(signature)}`,
  'blanks in a tag': (room) => `<a${' '.repeat(room)}b`,
  'blanks in an end': (room) => inResponse(`</${' '.repeat(room)}b`),
  'text without markup': (room) => 'a'.repeat(room),
  'deep nesting': (room) => `${'<a>'.repeat(room / 7)}${'</a>'.repeat(room / 7)}`,
};

/** Returns a response as large as the callback takes it; encoded as a form, some characters need more room. */
function largest(shape: (room: number) => string): string {
  const formBytes = samlForm(shape(room)).length;
  return shape(Math.floor((room * formBytesMax) / formBytes) - 300);
}

const c14n = '<ds:Transform Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"';
const prefixes = 'a '.repeat(2_000);
const namespaces = `${c14n}><InclusiveNamespaces xmlns="http://www.w3.org/2001/10/xml-exc-c14n#" PrefixList="${prefixes}"/></ds:Transform>`;
const times = (count: number, each: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => each(index)).join('');
const attributesOf = (each: (index: number) => string) => times(14, each);
const nested = (depth: number, each: (index: number) => string, inner: string) =>
  `${times(depth, each)}${inner}${'</a>'.repeat(depth)}`;

/** Elements of a signed assertion, by their content. */
const elements: Record<string, string> = {
  'as many elements as there may be': '<a>b</a>'.repeat(1_450),
  'as many attributes as there may be': `<a${attributesOf((index) => ` a${index}=""`)}/>`.repeat(315),
  'as many namespaces as there is room for': filled(
    room,
    (element) => `<a${attributesOf((index) => ` xmlns:a${element}_${index}="b"`)}/>`,
  ),
  'elements in as many namespaces as there may be': nested(
    28,
    (depth) => `<a${attributesOf((index) => ` xmlns:a${depth}_${index}="b"`)}>`,
    times(1_400, (index) => `<a${index % 28}_${index % 14}:a/>`),
  ),
  'elements that bring the same namespaces': '<a:a xmlns:a="b" xmlns:c="d" a:b="" c:d=""/>'.repeat(1_100),
  'lines and entities': `<a>${'\r\n&lt;'.repeat(room / 6)}</a>`,
  'long attributes': `<a b="${'&lt;'.repeat(1_000)}"/>`.repeat(16),
  'as many equal ids as there may be': '<a ID="_a" Id="_a" id="_a"/>'.repeat(1_400),
};

const withElements = (xml: string, inner: string) => xml.replace('</saml:Subject>', `</saml:Subject>${inner}`);
const withTransforms = (xml: string, inner: string) => xml.replace(/<ds:Transform [^>]*exc-c14n#"\/>/, inner);

/** Changes of a response after it was signed, by what they bring. */
const changes: Record<string, (xml: string) => string> = {
  'a long list of namespaces': (xml) => withTransforms(xml, namespaces),
  'several transforms': (xml) => withTransforms(xml, `${c14n}/>`.repeat(2)),
  'a huge signature': (xml) => xml.replace('</ds:SignatureValue>', `${'A'.repeat(room)}</ds:SignatureValue>`),
  'two signatures, and a namespace for each element': (xml) => {
    const [signature = ''] = /<ds:Signature.*<\/ds:Signature>/s.exec(xml) ?? [];
    const inner = times(700, (index) => `<b:a xmlns:b="u${index}" xmlns:c="v${index}" c:d="" b:e=""/>`);
    const another = signature.replace('#_assertion', '#_response');
    return withElements(xml, inner).replace('<samlp:Status>', `${another}<samlp:Status>`);
  },
};

/** Changes with which a response is refused before a parser sees it. */
const malformingChanges: Record<string, (xml: string) => string> = {
  'many transforms of another name': (xml) =>
    withTransforms(xml, '<Transform xmlns="b" Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>'.repeat(700)),
  'many parts of signatures': (xml) =>
    withElements(xml, '<SignedInfo/><Reference/><CanonicalizationMethod/>'.repeat(400)),
};

/**
 * Returns the most expensive responses to a request, signed with a key that nobody knows: those that go all the way to
 * the check of the signature, and those that are refused before a parser sees them, each with its content.
 */
export async function floodOf(requestId: string) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const respond = (edit?: (xml: string) => string) =>
    samlResponse({ requestId, email: 'zoe@example.com', key, ...(edit && { edit }) });
  const made = <T>(by: Readonly<Record<string, T>>, make: (each: T) => string) =>
    Object.fromEntries(Object.entries(by).map(([content, each]) => [content, make(each)]));
  const filledIn: Record<string, string> = {};
  for (const [content, inner] of Object.entries(elements))
    filledIn[content] = await respond((xml) => withElements(xml, inner));
  const signed = await respond();
  return {
    costly: { ...filledIn, ...made(changes, (change) => change(signed)) },
    malformed: { ...made(shapes, largest), ...made(malformingChanges, (change) => change(signed)) },
  };
}
