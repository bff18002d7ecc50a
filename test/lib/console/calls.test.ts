import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as registry from '../../../functions/index.ts';
import { calledOperations } from '../../../lib/console/data/declare-call.ts';
import type { Declaration } from '../../../lib/http/declaration.ts';

const files = globSync('lib/console/calls/*.ts').toSorted();
await Promise.all(files.map((file) => import(`../../../${file}`)));

const declarations: Readonly<Record<string, { readonly declaration: Declaration } | undefined>> = registry;

describe('A call of the console', () => {
  test.each(Object.entries(calledOperations))('is an operation of the API: %s', (operationId, { method, path }) => {
    const { declaration } = declarations[operationId] ?? {};
    expect({ method: declaration?.method, path: declaration?.path }).toEqual({ method, path });
  });

  test('stands among those of its subject, and nowhere else in the console', () => {
    const others = globSync('lib/console/**/*.{ts,tsx}').filter((file) => !file.startsWith('lib/console/calls/'));
    const codeOf = (file: string) => readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
    const calling = others.filter((file) => /(?:sendRequest|fetch)[^;]*['"`]\/api\//.test(codeOf(file)));
    expect(calling).toEqual([]);
  });
});

/** A type of an answer that a call names, and the file that it is imported from. */
interface NamedType {
  readonly operationId: string;
  readonly type: string;
  readonly file: string;
}

/** Finds the calls whose answer has a type of a schema. */
function namedTypes(): NamedType[] {
  return files.flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    const calls = text.matchAll(/= (?:read|change)<(\w+)(?:, [^>]+)?>\(\)\(\s*'(\w+)'/g);
    return [...calls].flatMap(([, type = '', operationId = '']) => {
      const [, from] = new RegExp(`import type \\{[^}]*\\b${type}\\b[^}]*\\} from '([^']+)'`).exec(text) ?? [];
      return from === undefined ? [] : [{ operationId, type, file: join('lib/console/calls', from) }];
    });
  });
}

/** Tells whether an answer is of a schema, or is an object that has all properties of it. */
function includesSchema(answer: unknown, schema: unknown): boolean {
  if (answer === schema) return true;
  const [all, some] = [answer, schema].map((each) => (each as { entries?: Record<string, unknown> } | null)?.entries);
  return all !== undefined && some !== undefined && Object.entries(some).every(([name, each]) => all[name] === each);
}

describe('The answer of a call', () => {
  test.each(namedTypes())(
    'has the type of the schema of its operation: $operationId',
    async ({ operationId, type, file }) => {
      const inferred = new RegExp(`export type ${type} = v\\.InferOutput<typeof (\\w+)>`);
      const [, schema = ''] = inferred.exec(readFileSync(file, 'utf8')) ?? [];
      const { responses = {} } = declarations[operationId]?.declaration ?? {};
      const exported: Readonly<Record<string, unknown>> = await import(`../../../${file}`);
      // A type that follows from no exported schema cannot be compared.
      if (exported[schema] === undefined) return;
      const isAnswered = Object.values(responses).some((response) => includesSchema(response, exported[schema]));
      expect(isAnswered, `${schema} of ${file}`).toBe(true);
    },
  );
});
