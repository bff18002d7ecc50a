import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';

const files = globSync('{functions,lib,infra,test}/**/*.{ts,tsx}').toSorted();
const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));

const clause = /^(what|who|whose|whom|whether|that|how|where|which|when|why)\b/i;
/** A verb with a clause as its object; to check whether something holds is usual English. */
const verbAndClause =
  /^(?:Returns|Lists|Says|Tells|Shows|Records|Notes|Counts|Sets|Changes) (?:what|who|whom|whose|that|how|where|which|when|why)\b/;

/** The same for answers of functions; to record that something has happened is usual English, too. */
const answerAndClause = /^(?:Returns|Says|Shows|Counts) (?:what|who|whom|whose|that|how|where|which|when|why)\b/;

const pronounOrCircumstance =
  /^(?:it|its|they|these|those|each|only|everything|nothing|nobody|as|at|by|for|from|in|of|on|to|under|until|with|without|after|before|if)\b/i;

/** Words that make a text sound translated, where a number or a name says more. */
const vague = /\b(?:so (?:long|many|much|often)|whoever|whatever|whichever|nobody but)\b/i;

/** Finds the texts that a pattern captures, each with its file. */
function textsOf(pattern: RegExp, isIn = (_file: string) => true): { file: string; text: string }[] {
  return [...texts].flatMap(([file, source]) =>
    isIn(file) ? [...source.matchAll(pattern)].map(([, text = '']) => ({ file, text: text.trim() })) : [],
  );
}

const describeText = ({ file, text }: { file: string; text: string }) => `${file}: ${text.split('\n', 1)[0]}`;

describe('the language of the source', () => {
  test('has doc comments that begin with a noun or a verb', () => {
    const comments = textsOf(/\/\*\*[\s*]*((?:(?!\*\/)[\s\S])*)\*\//g);
    expect(comments.length).toBeGreaterThan(1_000);
    const refused = comments.filter(
      ({ text }) => clause.test(text) || answerAndClause.test(text) || /^\w+s what\b/.test(text),
    );
    expect(
      refused.map(describeText).join('\n'),
      'begin with a noun or a verb, and name the thing rather than "Returns what …"',
    ).toBe('');
  });

  test('has doc comments whose subject is the thing, not a pronoun or the circumstances', () => {
    const comments = textsOf(/\/\*\*[\s*]*((?:(?!\*\/)[\s\S])*)\*\//g, (file) => !file.startsWith('test/'));
    const refused = comments.filter(({ text }) => pronounOrCircumstance.test(text));
    expect(refused.map(describeText).join('\n')).toBe('');
  });

  test('has no vague words in doc comments', () => {
    const comments = textsOf(/\/\*\*[\s*]*((?:(?!\*\/)[\s\S])*)\*\//g, (file) => !file.startsWith('test/'));
    expect(
      comments
        .filter(({ text }) => vague.test(text))
        .map(describeText)
        .join('\n'),
    ).toBe('');
  });

  test('has no line comments that begin with a clause for their subject', () => {
    const comments = textsOf(/(?<!\/\/.*\n)^\s*\/\/ (.*)$/gm);
    expect(comments.length).toBeGreaterThan(1_000);
    const refused = comments.filter(({ text }) => /^(?:what|who|of)\b/i.test(text));
    expect(refused.map(describeText).join('\n'), 'name the thing rather than "What …"').toBe('');
  });

  test('has summaries and descriptions of operations that begin with a noun or a verb', () => {
    const all = textsOf(/^ {2}(?:summary|description):\s+(?:'|`)([^'`]*)/gm, (file) => file.startsWith('functions/'));
    expect(all.length).toBeGreaterThan(300);
    const refused = all.filter(({ text }) => clause.test(text) || verbAndClause.test(text));
    expect(refused.map(describeText).join('\n')).toBe('');
  });
});

test('The glossary of our own words has at most twelve', () => {
  const [, glossary = ''] = readFileSync('lib/README.md', 'utf8').split('## Glossary');
  const words = glossary.match(/^\| (?!Word )[a-z].* \|$/gm) ?? [];
  expect(words.length).toBeGreaterThan(5);
  expect(words.length).toBeLessThanOrEqual(12);
});

describe('the names of the source', () => {
  /**
   * Modules that are only imported as a whole, so that each of their names has that of the module before it: `tagKeys.tag`.
   */
  const wholes = /^lib\/.*\/keys\.ts$/;

  test('are exported by one file each, but for the handlers of functions', () => {
    const declared = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm;
    const names = textsOf(declared, (file) => !/^(infra\/)?functions\//.test(file) && !wholes.test(file));
    const files = Map.groupBy(names, ({ text }) => text);
    expect(files.size).toBeGreaterThan(1_000);
    // The console has components of its own, such as a banner, which no other code can import.
    const sideOf = ({ file }: { file: string }) => file.startsWith('lib/console/');
    const isTwin = (all: typeof names) => new Set(all.map(({ file }) => file)).size > 1;
    const twins = [...files].filter(([, all]) => [...Map.groupBy(all, sideOf).values()].some(isTwin));
    expect(twins.map(([name, all]) => `${name}: ${all.map(({ file }) => file).join(', ')}`)).toEqual([]);
  });

  test('are read from modules of keys with the name of the module', () => {
    const imports = textsOf(/^import (.*) from '[./]+\/(?:[\w-]+\/)*keys\.ts';$/gm);
    expect(imports.length).toBeGreaterThan(50);
    expect(imports.filter(({ text }) => !text.startsWith('* as ')).map(describeText)).toEqual([]);
  });

  const isSource = (file: string) => !file.startsWith('test/');

  /** First words that end like a participle and are nouns or verbs. */
  const noParticiples = new Set([
    'embed',
    'feed',
    'need',
    'seed',
    'speed',
    'bring',
    'string',
    'setting',
    'everything',
    'nothing',
  ]);

  test('are verbs where they name a function, not participles', () => {
    const functions = textsOf(
      /^export (?:(?:async )?function\*?|const(?= \w+(?:: [^=]*)? = (?:async )?(?:<[^=]*>)?\())\s+(\w+)/gm,
      // A function of a keys module is named after the thing whose key it returns: `featureKeys.listedFeature`.
      // A component is named after the thing that it shows.
      (file) => isSource(file) && !wholes.test(file) && !file.endsWith('.tsx'),
    );
    const refused = functions.filter(({ text }) => {
      const [first = ''] = wordsOf(text);
      return /(?:ed|ing)$/.test(first) && !noParticiples.has(first);
    });
    expect(refused.map(describeText).join('\n'), 'name a function by a verb: loadX, buildX, isX, or xOf(y)').toBe('');
  });

  /** Words of our own that nobody outside of this project would understand. */
  const privateWords = new Set([
    ...['tally', 'roster', 'ring', 'sweep', 'sweeper', 'tick', 'aside', 'probe', 'entanglement', 'pace', 'lane'],
    ...[
      'shelf',
      'shelve',
      'shelved',
      'suspicion',
      'reliance',
      'standing',
      'remains',
      'closing',
      'mark',
      'doorbell',
      'pack',
    ],
  ]);

  test('are none of the words that only this project used', () => {
    const exported = textsOf(/^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm, isSource);
    const named = files.filter(isSource).map((file) => ({ file, text: basename(file, '.ts') }));
    const isPrivate = (word: string) => privateWords.has(word) || privateWords.has(word.replace(/s$/, ''));
    const refused = [...exported, ...named].filter(({ text }) => wordsOf(text).some(isPrivate));
    expect(refused.map(describeText).join('\n'), 'take the term that the field has for it').toBe('');
  });

  /** Returns the words of a name in camel case or with dashes, in lower case. */
  function wordsOf(name: string): string[] {
    return name.match(/[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])/g)?.map((word) => word.toLowerCase()) ?? [];
  }
});
