import { describe, expect, test } from 'vitest';
import { contentEtag, digestOf, etagOf, isKnown, versionsIn } from '../../../lib/http/etag.ts';

const versions = (ifMatch: string | undefined) => {
  const found = versionsIn(ifMatch);
  return found && [...found];
};

describe('An If-Match header', () => {
  test('with the tag of a version requires this version', () => {
    for (const version of [1, 7, 10, 9_007_199_254_740_991]) {
      expect(etagOf(version)).toBe(`"${version}"`);
      expect(versions(etagOf(version))).toEqual([version]);
      expect(etagOf(version, '5-0a1f')).toBe(`"${version}-5-0a1f"`);
      expect(versions(etagOf(version, '5-0a1f'))).toEqual([version]);
    }
  });

  test('may name a version with a digest of further content', () => {
    expect(digestOf('a')).toMatch(/^[\da-f]{16}$/);
    expect(digestOf('a')).not.toBe(digestOf('b'));
    expect(versions(etagOf(7, digestOf('a')))).toEqual([7]);
  });

  test.each([undefined, '*', ' * '])('of %j asks for no version in particular', (ifMatch) => {
    expect(versions(ifMatch)).toBeUndefined();
  });

  test.each([
    ['"1","2"', [1, 2]],
    ['"1", "2" ,\t"30"', [1, 2, 30]],
    [' "5" ', [5]],
    ['"5", "5"', [5]],
  ])('of %j requires one of its versions', (ifMatch, expected) => {
    expect(versions(ifMatch)).toEqual(expected);
  });

  test.each(['W/"1"', '"0"', '"01"', '""', '"x1"', '"1x"', '"é"', '"-1"', '"12345678901234567"', 'W/"1", "other"'])(
    'of %j names no version, so that nothing matches it',
    (ifMatch) => {
      expect(versions(ifMatch)).toEqual([]);
    },
  );

  test.each([
    '',
    '1',
    '"1',
    '1"',
    '"1" "2"',
    '"1",',
    ',"1"',
    '"1",,"2"',
    'w/"1"',
    'W"1"',
    'x"1"',
    '"1"x',
    '"a b"',
    '"a"b"',
    '*, "1"',
  ])('of %j is refused as malformed', (ifMatch) => {
    expect(() => versions(ifMatch)).toThrow(
      expect.objectContaining({ name: 'ValidationError', message: expect.stringContaining('If-Match') }),
    );
  });
});

describe('An If-None-Match header', () => {
  const shown = contentEtag('{"a":1}');
  const strong = etagOf(7);

  test('can name the content of a reply by a weak tag, which depends on its text', () => {
    expect(shown).toMatch(/^W\/"[\w-]{22}"$/);
    expect(contentEtag('{"a":1}')).toBe(shown);
    expect(contentEtag('{"a":2}')).not.toBe(shown);
  });

  test.each([
    [shown, shown],
    [shown.slice(2), shown],
    [`W/${strong}`, strong],
    [strong, strong],
    [`"1", ${shown}`, shown],
    [` ${strong} ,"1"`, strong],
    ['*', strong],
    ['"1", *', strong],
  ])('of %j names %j', (ifNoneMatch, known) => {
    expect(isKnown(ifNoneMatch, known)).toBe(true);
  });

  test.each([
    [undefined, strong],
    [strong, undefined],
    ['*', undefined],
    [undefined, undefined],
    ['', strong],
    ['"70"', strong],
    ['7', strong],
    [`x${strong}`, strong],
    [`xW/${strong}`, strong],
    [strong, `xW/${strong}`],
    ['"ab"', '"aW/b"'],
    ['"aW/b"', '"ab"'],
  ])('of %j does not name %j', (ifNoneMatch, known) => {
    expect(isKnown(ifNoneMatch, known)).toBe(false);
  });
});
