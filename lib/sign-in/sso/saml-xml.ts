import { refuseSignOn } from './refusal.ts';

/**
 * The maximum number of elements in a response, far more than identity providers send: an assertion with a thousand groups has 1,030
 * elements, with a depth of six.
 */
const maxElements = 1_500;
const maxDepth = 32;
const maxAttributes = 4_500;
const maxAttributesPerElement = 16;
const maxAttributeLength = 4_096;
/**
 * The maximum number of elements by name. The response and its assertion may be signed, each with one signature that has one reference
 * and at most two transforms.
 */
const maxByName: Readonly<Record<string, number>> = {
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
const attributePattern = new RegExp(attribute, 'g');
/** Matches text, and the start or the end of the element after it. */
const step = new RegExp(`[^<]*<(?:(${name})((?:${attribute})*)${space}(/?)|/(${name})${space})>`, 'y');

/**
 * Checks a response before a parser reads it. Until its signature is verified, anyone may have written it, and the parsers for that take
 * time quadratic in the number of elements, attributes or errors. This check takes linear time.
 * @param xml elements, attributes and text. Document types, comments, CDATA and instructions are refused, since no response needs them.
 * @throws ApiError 401 if it contains anything else, exceeds a limit, or has no signature; the log has the reason.
 */
export function assertPlain(xml: string): void {
  const names = new Map<string, number>();
  const open: string[] = [];
  let elements = 0;
  let attributes = 0;
  let at = /^\s*(?:<\?xml [^<>?]*\?>)?/.exec(xml)?.[0].length ?? 0;
  do {
    step.lastIndex = at;
    const match = step.exec(xml);
    if (match === null) throw refuseSignOn('The response is not plain XML.');
    at = step.lastIndex;
    const [, startName, attributeText = '', , , isEmpty, endName] = match;
    if (startName === undefined) {
      if (open.pop() !== endName) throw refuseSignOn('The elements of the response do not match.');
      continue;
    }
    elements += 1;
    open.push(startName);
    const local = startName.slice(startName.indexOf(':') + 1);
    names.set(local, (names.get(local) ?? 0) + 1);
    attributes += countAttributes(attributeText);
    if (elements > maxElements || attributes > maxAttributes || open.length > maxDepth) {
      throw refuseSignOn('The response has too many elements or attributes.');
    }
    if (isEmpty) open.pop();
  } while (open.length > 0);
  if (xml.slice(at).trim() !== '') throw refuseSignOn('The response has content after its root element.');
  if (unknownEntity.test(xml)) throw refuseSignOn('The response contains an unknown XML entity.');
  if (!names.has('Signature')) throw refuseSignOn('The response is not signed.');
  for (const [local, max] of Object.entries(maxByName)) {
    if ((names.get(local) ?? 0) > max) throw refuseSignOn(`The response has more than ${max} elements ${local}.`);
  }
}

/** Counts the attributes of a start tag. */
function countAttributes(text: string): number {
  const matches = [...text.matchAll(attributePattern)];
  const names = new Set(matches.map(([, name]) => name));
  const isLong = matches.some(([, , value = '']) => value.length > maxAttributeLength);
  if (names.size < matches.length || matches.length > maxAttributesPerElement || isLong) {
    throw refuseSignOn('An element of the response has too many attributes, or too long ones.');
  }
  return matches.length;
}
