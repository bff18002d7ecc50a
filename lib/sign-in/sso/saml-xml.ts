import { refuseSignOn } from './refusal.ts';

/**
 * Most elements of a response, far more than identity providers send: an assertion with a thousand groups has 1,030,
 * six deep.
 */
const elementsMax = 1_500;
const depthMax = 32;
const attributesMax = 4_500;
const attributesOfElementMax = 16;
const attributeCharactersMax = 4_096;
/**
 * Most elements by name: the response and its assertion may be signed, each by one signature with one reference of at
 * most two transforms.
 */
const mostOf: Readonly<Record<string, number>> = {
  Assertion: 1,
  Signature: 2,
  SignedInfo: 2,
  Reference: 2,
  Transform: 4,
};

const unknownEntity = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-fA-F]{1,6});)/;
const space = '[ \\t\\r\\n]*';
const name = '[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?';
const attribute = `[ \\t\\r\\n]${space}(${name})${space}=${space}("[^"<]*"|'[^'<]*')`;
const each = new RegExp(attribute, 'g');
/** Pattern of text, and of the start or the end of an element after it. */
const step = new RegExp(`[^<]*<(?:(${name})((?:${attribute})*)${space}(/?)|/(${name})${space})>`, 'y');

/**
 * Judges a response before a parser sees it: until its signature is verified, anybody may have written it, and the
 * parsers that verify it take time quadratic in the number of elements, attributes or errors. This check takes time
 * linear in its length.
 * @param xml elements, attributes and text; no document type, comments, CDATA or instructions, since none needs them.
 * @throws ApiError 401 if it is anything else, is larger than a response can be, or has no signature; the log says
 * which.
 */
export function assertPlain(xml: string): void {
  const names = new Map<string, number>();
  const open: string[] = [];
  let elements = 0;
  let attributes = 0;
  let at = /^\s*(?:<\?xml [^<>?]*\?>)?/.exec(xml)?.[0].length ?? 0;
  do {
    step.lastIndex = at;
    const found = step.exec(xml);
    if (found === null) throw refuseSignOn('The response is not plain XML.');
    at = step.lastIndex;
    const [, begun, itsAttributes = '', , , isEmpty, ended] = found;
    if (begun === undefined) {
      if (open.pop() !== ended) throw refuseSignOn('The elements of the response do not match.');
      continue;
    }
    elements += 1;
    open.push(begun);
    const local = begun.slice(begun.indexOf(':') + 1);
    names.set(local, (names.get(local) ?? 0) + 1);
    attributes += attributesIn(itsAttributes);
    if (elements > elementsMax || attributes > attributesMax || open.length > depthMax) {
      throw refuseSignOn('The response has too many elements or attributes.');
    }
    if (isEmpty) open.pop();
  } while (open.length > 0);
  if (xml.slice(at).trim() !== '') throw refuseSignOn('The response has content after its root element.');
  if (unknownEntity.test(xml)) throw refuseSignOn('The response contains an unknown XML entity.');
  if (!names.has('Signature')) throw refuseSignOn('The response is not signed.');
  for (const [local, most] of Object.entries(mostOf)) {
    if ((names.get(local) ?? 0) > most) throw refuseSignOn(`The response has more than ${most} elements ${local}.`);
  }
}

/** Counts the attributes of a start tag. */
function attributesIn(text: string): number {
  const found = [...text.matchAll(each)];
  const names = new Set(found.map(([, name]) => name));
  const isLong = found.some(([, , value = '']) => value.length > attributeCharactersMax);
  if (names.size < found.length || found.length > attributesOfElementMax || isLong) {
    throw refuseSignOn('An element of the response has too many attributes, or too long ones.');
  }
  return found.length;
}
