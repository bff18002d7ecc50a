import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../lib/errors.ts';
import { applyPatch, buildPatch, patchFields, patchObject } from '../../../lib/helpers/apply-patch.ts';
import type { JsonPatch } from '../../../lib/helpers/json-patch-schema.ts';

const document = { title: 'Half', parameters: { rollout: '50', 'a/b': '1', 'm~n': '2' }, segments: [1, 2, 3] };

/** Returns the name of an error and the paths of its problems. */
function refusal(act: () => unknown): [string, ...(string | undefined)[]] {
  const error = errorOf(act);
  return error === undefined ? ['accepted'] : [error.name, ...error.details.map(({ path }) => path)];
}

function errorOf(act: () => unknown): ApiError | undefined {
  try {
    act();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  return undefined;
}

describe('A JSON Patch', () => {
  test('that is built from two documents turns one into the other', () => {
    const after = { title: 'All', parameters: { rollout: '50' }, segments: [3] };
    expect(applyPatch(document, buildPatch(document, after))).toEqual(after);
    expect(buildPatch(document, { ...document })).toEqual([]);
  });

  test.each<[string, JsonPatch, unknown]>([
    ['replaces a field', [{ op: 'replace', path: '/title', value: 'All' }], { ...document, title: 'All' }],
    ['adds what was not there', [{ op: 'add', path: '/more', value: [] }], { ...document, more: [] }],
    [
      'reaches below a field',
      [{ op: 'replace', path: '/parameters/rollout', value: '7' }],
      { ...document, parameters: { ...document.parameters, rollout: '7' } },
    ],
    [
      'reads escaped names (RFC 6901, section 4)',
      [
        { op: 'remove', path: '/parameters/a~1b' },
        { op: 'remove', path: '/parameters/m~0n' },
      ],
      { ...document, parameters: { rollout: '50' } },
    ],
    [
      'inserts into a list, before an element and behind the last',
      [
        { op: 'add', path: '/segments/0', value: 0 },
        { op: 'add', path: '/segments/-', value: 4 },
        { op: 'add', path: '/segments/5', value: 5 },
      ],
      { ...document, segments: [0, 1, 2, 3, 4, 5] },
    ],
    [
      'moves an element: it is taken out before it is put in',
      [{ op: 'move', from: '/segments/0', path: '/segments/2' }],
      { ...document, segments: [2, 3, 1] },
    ],
    [
      'copies a value, which is another one from then on',
      [
        { op: 'copy', from: '/parameters', path: '/title' },
        { op: 'replace', path: '/title/rollout', value: '1' },
      ],
      { ...document, title: { ...document.parameters, rollout: '1' } },
    ],
    ['replaces the whole document', [{ op: 'replace', path: '', value: [1] }], [1]],
    ['removes the whole document', [{ op: 'remove', path: '' }], null],
    ['tests', [{ op: 'test', path: '/parameters', value: { 'm~n': '2', 'a/b': '1', rollout: '50' } }], document],
  ])('%s', (_, patch, expected) => {
    const before = structuredClone(document);
    expect(applyPatch(document, patch)).toEqual(expected);
    expect(document).toEqual(before);
  });

  test('is not changed when it is applied, so that it can be applied again', () => {
    const patch: JsonPatch = [
      { op: 'add', path: '/list', value: [] },
      { op: 'add', path: '/list/-', value: 1 },
    ];
    expect(applyPatch({}, patch)).toEqual({ list: [1] });
    expect(applyPatch({}, patch)).toEqual({ list: [1] });
  });

  test.each([
    ['what is not there', { op: 'replace', path: '/missing', value: 1 }],
    ['what is below nothing', { op: 'add', path: '/missing/deep', value: 1 }],
    ['what is below text', { op: 'add', path: '/title/0', value: 'x' }],
    ['the length of text', { op: 'replace', path: '/title/length', value: 1 }],
    ['the length of a list', { op: 'replace', path: '/segments/length', value: 0 }],
    ['an element behind the last', { op: 'replace', path: '/segments/3', value: 1 }],
    ['the last element by a dash', { op: 'remove', path: '/segments/-' }],
    ['a place behind the end', { op: 'add', path: '/segments/4', value: 1 }],
    ['an index with a zero in front', { op: 'remove', path: '/segments/01' }],
    ['an index below zero', { op: 'add', path: '/segments/-1', value: 1 }],
    ['an inherited property', { op: 'replace', path: '/toString', value: 1 }],
    ['the prototype', { op: 'add', path: '/__proto__/polluted', value: 1 }],
    ['the prototype itself', { op: 'add', path: '/__proto__', value: {} }],
    ['the prototype by its constructor', { op: 'add', path: '/constructor/prototype/polluted', value: 1 }],
  ] as const)('is refused where it is about %s', (_, operation) => {
    const fine = { op: 'test', path: '/title', value: 'Half' } as const;
    expect(refusal(() => applyPatch(document, [fine, operation]))).toEqual(['ValidationError', '1.path']);
    expect({}).not.toHaveProperty('polluted');
  });

  test('is refused if it moves a value into itself or from an unknown path', () => {
    const into: JsonPatch = [{ op: 'move', from: '/parameters', path: '/parameters/deep' }];
    expect(refusal(() => applyPatch(document, into))).toEqual(['ValidationError', '0.path']);
    const nowhere: JsonPatch = [{ op: 'copy', from: '/missing', path: '/title' }];
    expect(refusal(() => applyPatch(document, nowhere))).toEqual(['ValidationError', '0.from']);
  });

  test('cannot make a document larger than a request could', () => {
    const doubling: JsonPatch = Array.from({ length: 100 }, () => ({ op: 'copy', from: '', path: '/segments/-' }));
    expect(refusal(() => applyPatch(document, doubling))[0]).toBe('ValidationError');
    // As JSON, with its quotes.
    const text = (bytes: number) => ({ text: 'x'.repeat(bytes - 2) });
    const copy: JsonPatch = [{ op: 'copy', from: '/text', path: '/other' }];
    expect(applyPatch(text(100_000), copy)).toMatchObject({ other: expect.stringContaining('x') });
    expect(errorOf(() => applyPatch(text(100_001), copy))?.details).toEqual([
      { message: 'The copies of a patch have at most 100000 bytes.', path: '0.from' },
    ]);
    const moves: JsonPatch = [
      { op: 'move', from: '/text', path: '/other' },
      { op: 'move', from: '/other', path: '/text' },
    ];
    expect(applyPatch(text(100_000), moves)).toEqual(text(100_000));
  });

  test('with a test that fails is a 409', () => {
    const patch: JsonPatch = [{ op: 'test', path: '/segments', value: [1, 2] }];
    expect(errorOf(() => applyPatch(document, patch))).toMatchObject({
      name: 'ConflictError',
      message: 'The test of /segments failed.',
      details: [{ message: 'The value is different.', path: '0.value' }],
    });
  });

  test('with an unknown path is refused with that path', () => {
    const messageOf = (operation: JsonPatch[number]) => errorOf(() => applyPatch(document, [operation]))?.message;
    expect(messageOf({ op: 'remove', path: '/missing' })).toContain('There is no "/missing".');
    const copy = { op: 'copy', from: '/missing', path: '/title' } as const;
    expect(messageOf(copy)).toContain('There is no "/missing".');
  });

  test('may change fields, and their content if that is permitted', () => {
    const fields = ['title', 'parameters', 'more'];
    const deep: JsonPatch = [
      { op: 'remove', path: '/parameters/rollout' },
      { op: 'add', path: '/more', value: 1 },
    ];
    expect(patchObject({ parameters: { rollout: '50' } }, fields, deep)).toEqual({ parameters: {}, more: 1 });
    const flat: JsonPatch = [{ op: 'copy', from: '/title', path: '/description' }];
    expect(patchFields({ title: 'Half', description: '' }, flat)).toEqual({ title: 'Half', description: 'Half' });
  });

  test('is refused with all paths that name no field', () => {
    const stray: JsonPatch = [
      { op: 'remove', path: '' },
      { op: 'copy', from: '/other/deep', path: '/title' },
      { op: 'remove', path: '/parameters/rollout' },
    ];
    const fields = ['title', 'parameters'];
    expect(refusal(() => patchObject(document, fields, stray))).toEqual(['ValidationError', '0.path', '1.from']);
    const flat = { title: 'Half', parameters: {} };
    expect(refusal(() => patchFields(flat, stray))).toEqual(['ValidationError', '0.path', '1.from', '2.path']);
    expect(errorOf(() => patchFields(flat, stray))?.details[1]?.message).toBe(
      'There is no "/other/deep"; there are /title, /parameters.',
    );
  });
});
