import { readFileSync } from 'node:fs';

const functions = new URL('../../functions/', import.meta.url);
const textOf = (path: string) => readFileSync(new URL(path, functions), 'utf8');

/** An endpoint, and its file in a folder of `functions/`. */
interface Registered {
  readonly name: string;
  readonly folder: string;
  readonly file: string;
}

/**
 * The endpoints of functions/index.ts, read as text, which takes no time: by folder and name, so that what is generated does
 * not change when an endpoint moves to another file of its folder.
 */
export function registered(): Registered[] {
  const files = textOf('index.ts').matchAll(/^export \* from '\.\/([\w-]+)\/([\w-]+)\.ts';$/gm);
  const endpoints = [...files].flatMap(([, folder = '', file = '']) => {
    const names = textOf(`${folder}/${file}.ts`).matchAll(/^export const (\w+) = /gm);
    return [...names].map(([, name = '']): Registered => ({ name, folder, file }));
  });
  const { compare } = new Intl.Collator('en');
  return endpoints.toSorted((a, b) => compare(a.folder, b.folder) || compare(a.name, b.name));
}
