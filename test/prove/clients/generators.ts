import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installArchives, installPythonPackages, orNotHere, runAll, type Workshop } from '../sdks/tools.ts';

type Command = readonly [string, ...string[]];

/** Generator of clients, and the commands that compile a client with a program that makes six calls. */
export interface Generator {
  readonly title: string;
  /**
   * Fetches the generator at its version.
   * @throws NotHere where the machine lacks something for it.
   */
  fetch(workshop: Workshop): Promise<Steps>;
}

/** Returns the commands in a folder of their own; `run` gets the URL, the token and the name of a feature as arguments. */
type Steps = (folder: string, document: string) => { readonly [Step in (typeof steps)[number]]: readonly Command[] };
export const steps = ['generate', 'compile', 'run'] as const;

/** Puts a program of `programs` into a folder. */
function putProgram(name: string, file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  copyFileSync(fileURLToPath(new URL(`programs/${name}`, import.meta.url)), file);
}

const oapiCodegen = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const oapiRuntime = 'github.com/oapi-codegen/runtime@v1.9.0';
const pythonPackages = ['openapi-python-client==0.29.1', 'mypy==2.4.1'];
const npmPackages = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3', '@types/node@24.19.2'];

/** The one reply that openapi-python-client does not know, and no formatter. */
const pythonConfiguration = {
  content_type_overrides: { 'application/samlmetadata+xml; charset=utf-8': 'text/xml' },
  post_hooks: [],
};

const typescriptConfiguration = {
  compilerOptions: {
    strict: true,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'nodenext',
    types: ['node'],
    outDir: 'built',
  },
};

/** Returns the command that runs openapi-generator. */
async function fetchOpenApiGenerator(workshop: Workshop): Promise<Command> {
  const folder = await installArchives(workshop, fileURLToPath(new URL('pom.xml', import.meta.url)));
  return ['java', '-cp', join(folder, '*'), 'org.openapitools.codegen.OpenAPIGenerator', 'generate'];
}

/** Installs the packages of npm where Node finds them from each folder below the workshop. */
async function fetchNpmPackages({ directory, env }: Workshop): Promise<string> {
  const flags = ['--silent', '--ignore-scripts', '--no-audit', '--prefer-offline', '--prefix', directory];
  await orNotHere(() => runAll(env, ['npm', 'install', ...flags, ...npmPackages]));
  return join(directory, 'node_modules', '.bin');
}

/** Commands that compile and run `main` in a folder of TypeScript. */
function typescriptSteps(commands: string, folder: string, main: string) {
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(typescriptConfiguration));
  return {
    compile: [[join(commands, 'tsc'), '--project', folder]],
    run: [[process.execPath, join(folder, 'built', main)]],
  } satisfies Record<string, Command[]>;
}

export const generators: readonly Generator[] = [
  {
    title: 'openapi-generator, go',
    async fetch(workshop) {
      const generate = await fetchOpenApiGenerator(workshop);
      await orNotHere(() => runAll(workshop.env, ['go', 'version']));
      return (folder, document) => {
        putProgram('openapi_generator.go', join(folder, 'program', 'main.go'));
        const go = ['go', '-C', folder] as const;
        return {
          // The test that it generates needs a package of its own.
          generate: [
            [
              ...generate,
              '-g',
              'go',
              '-i',
              document,
              '-o',
              folder,
              '--global-property',
              'apiTests=false,modelTests=false',
            ],
          ],
          // Its template for unions returns several times, which "go vet" reports.
          compile: [
            [...go, 'mod', 'tidy'],
            [...go, 'vet', '-unreachable=false', './...'],
            [...go, 'build', '-o', 'built', './program'],
          ],
          run: [[join(folder, 'built')]],
        };
      };
    },
  },
  {
    title: 'openapi-generator, typescript-fetch',
    async fetch(workshop) {
      const generate = await fetchOpenApiGenerator(workshop);
      const commands = await fetchNpmPackages(workshop);
      return (folder, document) => {
        putProgram('typescript_fetch.ts', join(folder, 'main.ts'));
        return {
          generate: [[...generate, '-g', 'typescript-fetch', '-i', document, '-o', join(folder, 'flagstaff')]],
          ...typescriptSteps(commands, folder, 'main.js'),
        };
      };
    },
  },
  {
    title: 'oapi-codegen',
    async fetch(workshop) {
      const { directory, env } = workshop;
      await orNotHere(() => runAll({ ...env, GOBIN: directory }, ['go', 'install', oapiCodegen]));
      return (folder, document) => {
        putProgram('oapi_codegen.go', join(folder, 'main.go'));
        mkdirSync(join(folder, 'flagstaff'));
        const go = ['go', '-C', folder] as const;
        const client = join(folder, 'flagstaff', 'client.go');
        const flags = ['-generate', 'types,client', '-package', 'flagstaff', '-o', client];
        return {
          generate: [[join(directory, 'oapi-codegen'), ...flags, document]],
          compile: [
            [...go, 'mod', 'init', 'prove'],
            [...go, 'get', oapiRuntime],
            [...go, 'mod', 'tidy'],
            [...go, 'vet', './...'],
            [...go, 'build', '-o', 'built'],
          ],
          run: [[join(folder, 'built')]],
        };
      };
    },
  },
  {
    title: 'openapi-typescript with openapi-fetch',
    async fetch(workshop) {
      const commands = await fetchNpmPackages(workshop);
      return (folder, document) => {
        putProgram('openapi_fetch.ts', join(folder, 'main.mts'));
        return {
          generate: [[join(commands, 'openapi-typescript'), document, '-o', join(folder, 'flagstaff.d.ts')]],
          ...typescriptSteps(commands, folder, 'main.mjs'),
        };
      };
    },
  },
  {
    title: 'openapi-python-client',
    async fetch(workshop) {
      const python = await installPythonPackages(workshop, pythonPackages);
      return (folder, document) => {
        putProgram('openapi_python_client.py', join(folder, 'main.py'));
        const configuration = join(folder, 'configuration.json');
        writeFileSync(configuration, JSON.stringify(pythonConfiguration));
        const files = ['--path', document, '--output-path', folder, '--overwrite', '--config', configuration];
        return {
          generate: [[join(dirname(python), 'openapi-python-client'), 'generate', '--fail-on-warning', ...files]],
          compile: [[python, '-m', 'mypy', '--strict', '--cache-dir', join(folder, '.mypy'), folder]],
          run: [[python, join(folder, 'main.py')]],
        };
      };
    },
  },
];
