import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const files = globSync('lib/console/**/*.{ts,tsx,html}');

/** Ways to make HTML, styles or code of text, which the policy of the page refuses or a hostile name could use. */
const refused: Readonly<Record<string, RegExp>> = {
  'HTML of text': /innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser|srcdoc/i,
  'styles of text': /style=(?:["'`]|\{["'`])|<style|cssText/,
  'code of text': /\beval\(|new Function\(|javascript:/i,
  'code in the page': /<script(?![^>]*\bsrc=)|\son\w+="/i,
};

test.each(Object.entries(refused))('No source of the console makes %s', (_, pattern) => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => pattern.test(readFileSync(file, 'utf8')))).toEqual([]);
});

test('No source of the console names another site, but for examples', () => {
  const naming = files.filter((file) =>
    /['"`]https?:\/\/(?!localhost|[\w.-]*example\.com)[\w-]+\./.test(readFileSync(file, 'utf8')),
  );
  expect(naming).toEqual([]);
});
