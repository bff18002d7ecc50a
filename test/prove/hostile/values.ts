const deep = 10_000;

/** Hostile values as JSON text, since many have no form as a value. */
export const hostileJson: readonly string[] = Object.values({
  words: ['null', 'true'],
  'short ones': ['""', '" "', '[]', '{}', '[[]]', '[null]', '[1,"a",{}]'],
  numbers: ['0', '-0', '-1', '1.5', '1e308', '1e400', '-1e400', '1e-400', '"1e400"'],
  'numbers that are not exact': ['9007199254740993', '-9007199254740993', '123456789012345678901234567890'],
  'what no text may hold': ['"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udc00\\ud800"', '"ab\\ud83d"'],
  'what texts hide': ['"\\u202e\\ufeff\\u2028"', '"\\r\\nset-cookie: a=b"'],
  'names that every object has': ['"__proto__"', '"constructor"', '"toString"'],
  'ways out of a folder': ['"."', '".."', '"../../etc/passwd"', '"%00%2F%2e%2e"'],
  'signs of stores and languages': ['"*"', '"a#b"', '"#"', '"FEATURE#x"', '"$ne"', `"' OR 1=1 --"`],
  'what is carried out elsewhere': ['"<script>alert(1)</script>"', '"#{7*7}{{7*7}}"'],
  'objects that pollute': ['{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{"admin":true}}}'],
  'objects that pretend': ['{"toString":1,"valueOf":1,"toJSON":1,"then":1,"length":-1}', '{"S":"text","N":"1"}'],
  'objects that are none': ['{"$ref":"#"}', '{"a":1,"a":2}'],
}).flat();

/** Hostile values too long to be sent in every place of every generated request. */
export const bulkyJson: readonly string[] = [
  `"${'a'.repeat(80_000)}"`,
  `"${'😀'.repeat(20_000)}"`,
  `"${'\\u0000'.repeat(10_000)}"`,
  '['.repeat(deep) + ']'.repeat(deep),
  '{"a":'.repeat(deep) + '1'.concat('}'.repeat(deep)),
  `[${Array(20_000).fill('{}').join()}]`,
  `[${Array(10_000).fill('"a"').join()}]`,
  `{${Array.from({ length: 5_000 }, (_, index) => `"k${index}":1`).join()}}`,
  `1${'0'.repeat(50_000)}`,
  `0.${'1'.repeat(50_000)}`,
];

/** Hostile segments as they stand in a path, between slashes. */
export const hostileSegments: readonly string[] = Object.values({
  'ways elsewhere': ['', '.', '..', '%2e%2e', '..%2f..%2f', '%2F'],
  'no escapes': ['%', '%zz'],
  'no UTF-8': ['%ff', '%C0%80', '%ED%A0%80'],
  'escapes of escapes': ['%2500', '%252F', '%25252e'],
  'odd letters': ['%00', 'a%00b', '%F0%9F%98%80', '%EF%BB%BF', '%E2%80%AE', '%20', '%0d%0aset-cookie:%20a=b'],
  'signs with a meaning': ['+', '*', '%23', 'a%23b', ';a=b', "'", '%7B%22a%22%3A1%7D'],
  'names that every object has': ['__proto__', 'constructor', 'hasOwnProperty'],
  'what code makes of nothing': ['null', 'undefined', 'NaN'],
  numbers: ['-1', '0', '1.5', '1e3', '0x10', '9007199254740993', '99999999999999999999999'],
  'too much': ['n'.repeat(101), 'n'.repeat(2_100), '%41'.repeat(3_000)],
}).flat();

const oddLimits = {
  'too many': ['1000000000', '2147483648', '9007199254740991', '9999999999999999', '9'.repeat(5_000)],
  'too few': ['-1', '0', ''],
  'no whole numbers': ['0x10', '1e3', '1.5', '%31', '%00', '1,2', '１', 'Infinity'],
};

export const hostileQueries: readonly string[] = Object.values({
  limits: Object.values(oddLimits).flatMap((limits) => limits.map((limit) => `limit=${limit}`)),
  'limits in other forms': ['limit', 'limit=1&limit=2', 'limit[]=1', 'limit[a]=1', 'LIMIT=1'],
  'ends of a page': ['NaN', '1', '9007199254740991', '-9007199254740991', '1&limit=1', '99999999999999999999'].map(
    (end) => `before=${end}`,
  ),
  'no queries': ['', '__proto__=1&constructor=2', 'a=%ff', 'a=%', '&&&&', '===='],
  'too much': [`a=${'n'.repeat(8_000)}`, Array.from({ length: 1_000 }, (_, index) => `p${index}=1`).join('&')],
}).flat();
