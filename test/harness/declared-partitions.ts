import { globSync, readFileSync } from 'node:fs';

/** The partitions that entities declare in their own files, for the things and for their unique names. */
export const declaredPartitions = globSync('lib/**/*.ts').flatMap((file) =>
  [
    ...readFileSync(file, 'utf8').matchAll(
      /(?:partition: |keysIn\()\{ pk: '(?<pk>[^']+)'(?:, prefix: '(?<prefix>[^']+)')? \}/g,
    ),
  ].map(({ groups: { pk = '', prefix = '' } = {} }) => ({ pk, prefix, file })),
);

/** The texts of the modules that declare the keys of everything else, by file. */
export const keyFiles = new Map(globSync('lib/**/keys.ts').map((file) => [file, readFileSync(file, 'utf8')]));
