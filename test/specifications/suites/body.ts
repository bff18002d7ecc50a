import { expect, test } from 'vitest';
import { statusOf } from '../../../lib/http/declaration.ts';
import type { Reply } from '../../harness/service.ts';
import type { Example } from '../example.ts';
import { expectCarriable, expectRefused, pathsIn } from '../expect.ts';
import { type Json, type Place, placesIn, withKey, withoutPlace, withValue } from '../places.ts';
import type { Trial } from '../trial.ts';
import { wholeDocument } from '../whole-document.ts';

/** Wrong values for each type that less strict services accept. */
const wrongValues: Readonly<Record<string, readonly Json[]>> = {
  string: [5, true, {}, ['text'], null],
  'written string': [{}, ['text'], null],
  integer: ['5', true, [5], {}, null, 1.5, 2 ** 53, -(2 ** 53), 1e21],
  number: ['5', true, [5], {}, null],
  boolean: ['true', '', 1, [], null],
  'written boolean': ['yes', '', 1, [], null],
  array: [{ 0: 'a', length: 1 }, 'text', 1, true, null],
  object: [[], [{}], 'text', 1, true, null],
};
/** Texts that nothing takes, whatever it takes for text. */
const noTexts = ['a\0b', 'ab\ud800', '\udc00ab'];
const hardToQuote = ['a\0b', 'ab\ud800', `x${'😀'.repeat(500)}`, `xy${'é'.repeat(500)}`];

/** An example with one value changed, or with several at once. */
interface Mistake {
  readonly path: string;
  readonly value: Json | undefined;
}

/** Tests that every property of a body is checked, that all mistakes are named, and that nothing else matters. */
export function testBody(trial: Trial): void {
  const { decides, required = [], needed = [], nullable = [] } = trial.specification;

  /** An example and the places of its body; one that other tests have as well, where it is not to be carried out. */
  async function prepared(made = trial.idleExample()): Promise<{ example: Example; places: Place[]; leaves: Place[] }> {
    const example = await made;
    const places = placesIn(wholeDocument(), bodySchemaOf(trial), example.body);
    const leaves = places.filter(({ path }) => !places.some((other) => other.path.startsWith(`${path}.`)));
    return { example, places, leaves };
  }

  /** Makes the mistakes at once, and those alone that are not named then; returns what was not refused by its place. */
  async function missed(example: Example, mistakes: readonly Mistake[]): Promise<string[]> {
    if (mistakes.length === 0) return [];
    const together = await trial.send(example, { body: mistakes.reduce(changed, example.body) });
    const named = together.status === 400 ? pathsIn(together) : [];
    const found: string[] = [];
    for (const mistake of mistakes.filter(({ path }) => !named.includes(path))) {
      const answer = await trial.send(example, { body: changed(example.body, mistake) });
      if (answer.status !== 400 || !pathsIn(answer).includes(mistake.path)) found.push(describeMissed(mistake, answer));
    }
    return found;
  }

  /** The n-th mistakes of all places at once, then the next ones. */
  async function missedOf(
    example: Example,
    places: readonly Place[],
    valuesOf: (place: Place) => readonly Json[],
  ): Promise<string[]> {
    const found: string[] = [];
    const longest = Math.max(0, ...places.map((place) => valuesOf(place).length));
    for (let index = 0; index < longest; index += 1) {
      const mistakes = places.flatMap((place) => {
        const value = valuesOf(place)[index];
        return value === undefined ? [] : [{ path: place.path, value }];
      });
      found.push(...(await missed(example, mistakes)));
    }
    return found;
  }

  const expectDone = (answer: Reply) => expect(answer.status, answer.text).toBe(statusOf(trial.declaration));

  test('answers 400 to what is no JSON, or JSON of another kind than it takes', async () => {
    const { example } = await prepared();
    const other = Array.isArray(example.body) ? '{}' : '[]';
    // test/lib/http/json.test.ts has more bodies that are not valid JSON.
    for (const body of ['{', '"text"', 'null', other]) {
      expectRefused(await trial.send(example, { body }), 400, 'ValidationError');
    }
    for (const none of [{ body: '' }, { body: undefined, headers: { 'content-type': 'application/json' } }]) {
      const answer = await trial.send(example, none);
      if (trial.declaration.bodyOptional) expectDone(answer);
      else expectRefused(answer, 400, 'ValidationError');
    }
  });

  test('documents as required, and where null has a meaning, what the contract says', async () => {
    const { places } = await prepared();
    const documented = (chosen: (place: Place) => boolean) =>
      places
        .filter(chosen)
        .map(({ path }) => path)
        .toSorted();
    expect(
      documented(({ isRequired }) => isRequired),
      '`required` of the specification',
    ).toEqual(required.toSorted());
    expect(
      documented(({ isNullable }) => isNullable),
      '`nullable` of the specification',
    ).toEqual(nullable.toSorted());
  });

  test('answers 400 that names the place to every required property that is missing', async () => {
    const { example, leaves } = await prepared();
    const isLeaf = (path: string) => leaves.some((leaf) => leaf.path === path);
    const absent = (path: string): Mistake => ({ path, value: undefined });
    expect(await missed(example, required.filter(isLeaf).map(absent))).toEqual([]);
    for (const path of required.filter((each) => !isLeaf(each))) {
      expect(await missed(example, [absent(path)])).toEqual([]);
    }
  });

  test('answers 400 that names the place to every value of a wrong type: it is converted nowhere but where it says so', async () => {
    const { example, places, leaves } = await prepared();
    const valuesOf = ({ type, isNullable }: Place) =>
      (wrongValues[type] ?? []).filter((value) => !(isNullable && value === null));
    expect(await missedOf(example, leaves, valuesOf)).toEqual([]);
    for (const place of places.filter((each) => !leaves.includes(each))) {
      expect(await missedOf(example, [place], valuesOf)).toEqual([]);
    }
    const numbers = leaves.filter(({ type }) => type === 'integer' || type === 'number');
    if (numbers.length === 0) return;
    // JSON's grammar has room for it, but it is no number.
    const endless = JSON.stringify(numbers.reduce((body, { path }) => withValue(body, path, '@'), example.body));
    const answer = await trial.send(example, { body: endless.replaceAll('"@"', '1e400') });
    expectRefused(answer, 400, 'ValidationError');
    expect(pathsIn(answer)).toEqual(expect.arrayContaining(numbers.map(({ path }) => path)));
  });

  test('answers 400 that names the place to unknown words, and to text with NUL or half a surrogate pair', async () => {
    const { example, leaves } = await prepared();
    const texts = leaves.filter(({ type }) => type === 'string' || type === 'written string');
    const wrong = ({ options }: Place) =>
      options.length === 0
        ? noTexts
        : ['', 'unheard-of', ...options.slice(0, 2).flatMap((option) => [`${option} `, swappedCase(option)])].filter(
            // Signs such as < have no case.
            (text) => !options.includes(text),
          );
    expect(await missedOf(example, texts, wrong)).toEqual([]);
  });

  test('lists every mistake of a body, in text that any client can carry', async () => {
    const { example, places, ...found } = await prepared();
    // A value without a type cannot be wrong, and an error about a value without a format says nothing more.
    const leaves = found.leaves.filter(({ type, path }) => type !== '' && path !== decides);
    const mistakes: Readonly<Record<string, Json>> = { string: 5, 'written string': {} };
    const wrong = leaves.reduce((body, { path, type }) => withValue(body, path, mistakes[type] ?? 'a'), example.body);
    if (leaves.length > 0) {
      const answer = await trial.send(example, { body: wrong });
      expectRefused(answer, 400, 'ValidationError');
      expect([...new Set(pathsIn(answer))].toSorted()).toEqual(leaves.map(({ path }) => path).toSorted());
    }
    const quoting = leaves.filter(
      ({ type, options }) => !['string', 'written string'].includes(type) || options.length > 0,
    );
    for (const value of quoting.length > 0 ? hardToQuote : []) {
      const body = quoting.reduce((each, { path }) => withValue(each, path, value), example.body);
      expectCarriable(await trial.send(example, { body }));
    }
    for (const { path } of places.filter(({ isMap }) => isMap)) {
      for (const key of hardToQuote.slice(0, 2)) {
        const refused = await trial.send(example, { body: withKey(example.body, path, key, 'x') });
        expectRefused(refused, 400, 'ValidationError');
        expectCarriable(refused);
      }
    }
  });

  test('takes a number for text, and text for a truth value, where it says so', async () => {
    const { example, leaves } = await prepared(trial.repeatableExample());
    const written = leaves.filter(({ type }) => type.startsWith('written '));
    if (written.length === 0) return;
    expectDone(
      await trial.send(example, {
        body: written.reduce(
          (body, { path, type }) => withValue(body, path, type === 'written string' ? 20 : 'true'),
          example.body,
        ),
      }),
    );
  });

  test('takes a body without what is not required, and null where it has a meaning', async () => {
    const { example, places } = await prepared(trial.repeatableExample());
    const optional = places.filter(
      ({ path, isRequired, isElement }) => !isRequired && !isElement && !needed.includes(path),
    );
    // From the last to the first, so that what is inside goes before what it is in.
    expectDone(
      await trial.send(example, {
        body: optional.toReversed().reduce((each, { path }) => withoutPlace(each, path), example.body),
      }),
    );
    const second = await trial.repeatableExample();
    if (nullable.length > 0)
      expectDone(
        await trial.send(second, { body: nullable.reduce((each, path) => withValue(each, path, null), second.body) }),
      );
  });

  test('ignores properties that it does not know, wherever they are', async () => {
    const { example, places } = await prepared(trial.repeatableExample());
    const unknown = { futureField: { deep: [null, { a: 1e300 }] }, toString: null, hasOwnProperty: 1 };
    const objects = places.filter(({ type, isMap }) => type === 'object' && !isMap).map(({ path }) => path);
    let body = example.body;
    const takesAnyKey = Array.isArray(body) || trial.declaration.body?.type === 'record';
    for (const path of takesAnyKey ? objects : ['', ...objects]) {
      for (const [key, value] of Object.entries(unknown)) body = withKey(body, path, key, value as Json);
    }
    const answer = await trial.send(example, { body });
    expectDone(answer);
    expect(answer.text).not.toContain('futureField');
  });

  test('does not stumble over depth, or over properties named like what every object has', async () => {
    const { example, leaves } = await prepared(trial.repeatableExample());
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const [leaf] = leaves;
    if (leaf !== undefined) {
      const body = JSON.stringify(withValue(example.body, leaf.path, '@')).replace('"@"', () => deep);
      const answer = await trial.send(example, { body });
      // A report with a wrong part is not refused.
      if (trial.declaration.rights !== 'count' || answer.status >= 400) expectRefused(answer, 400, 'ValidationError');
    }
    const text = JSON.stringify(example.body);
    for (const value of ['null', '{"prototype":{"admin":true}}']) {
      const members = ['__proto__', 'constructor', 'toJSON', 'then'].map((key) => `"${key}":${value},`);
      const body = text.replaceAll('{"', `{${members.join('')}"`);
      const { status } = await trial.send(example, { body });
      expect(status, body).toBeOneOf([statusOf(trial.declaration), 400, 404, 409]);
    }
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });
}

function changed(body: unknown, { path, value }: Mistake): unknown {
  return value === undefined ? withoutPlace(body, path) : withValue(body, path, value);
}

function describeMissed({ path, value }: Mistake, { status, text }: Reply): string {
  return `${path} = ${JSON.stringify(value)}: ${status} ${text.slice(0, 200)}`;
}

let described: Record<string, Record<string, Operation>> | undefined;

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: unknown }>> };
}

function bodySchemaOf({ declaration: { path, method } }: Trial): unknown {
  described ??= wholeDocument().paths as Record<string, Record<string, Operation>>;
  return described[path]?.[method.toLowerCase()]?.requestBody?.content['application/json']?.schema;
}

function swappedCase(text: string): string {
  const upper = text.toUpperCase();
  return text === upper ? text.toLowerCase() : upper;
}
