import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile, type Plugin, transform } from 'esbuild';

const source = fileURLToPath(new URL('../../lib/console/', import.meta.url));

/** The oldest browsers that the console supports. */
const target = ['chrome123', 'firefox127', 'safari17.5'];

/**
 * Lets components bring their styles along: each adds its sheet to the page when its script is loaded. Those of the first script
 * are a file, without which nothing is drawn.
 */
const componentStyles: Plugin = {
  name: 'component-styles',
  setup({ onLoad, onResolve }) {
    const namespace = 'component-styles';
    onResolve({ filter: /\.css$/ }, ({ path, resolveDir, importer }) => {
      if (importer.endsWith('main.tsx')) return undefined;
      return { path: join(resolveDir, path), namespace, sideEffects: true };
    });
    onLoad({ filter: /.*/, namespace }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), { loader: 'css', minify: true, target });
      return {
        contents: `import { addStyles } from './parts/add-styles.ts'; addStyles(${JSON.stringify(code.trim())});`,
        resolveDir: source,
        loader: 'js',
      };
    });
  },
};

/** The modules in the place of those that browsers do not have, or that are loaded only when a page needs them. */
const standIns: Plugin = {
  name: 'stand-ins',
  setup({ onResolve }) {
    const fileOf = (name: string) => ({ path: join(source, 'preview/stand-ins', `${name}.ts`) });
    onResolve({ filter: /^node:(net|os|crypto)$/ }, ({ path }) => fileOf(path.slice('node:'.length)));
    onResolve({ filter: /^node:timers\/promises$/ }, () => fileOf('timers'));
    onResolve({ filter: /^re2js$/ }, () => fileOf('re2'));
    onResolve({ filter: /^re2js\/whole$/ }, () => ({ path: fileURLToPath(import.meta.resolve('re2js')) }));
  },
};

/** Files besides those that the scripts import. Other packages show in the lock file. */
const otherInputs = [
  join(source, 'index.html'),
  join(source, 'icon.svg'),
  fileURLToPath(import.meta.url),
  fileURLToPath(new URL('../../package-lock.json', import.meta.url)),
];

/**
 * Builds the console from its sources: scripts and styles with a hash in their names in `static/`, and the page that loads them.
 * @param directory an empty or missing folder.
 */
export async function buildConsole(directory: string): Promise<Metafile> {
  await mkdir(join(directory, 'static'), { recursive: true });
  const { metafile } = await build({
    entryPoints: { console: join(source, 'main.tsx') },
    outdir: join(directory, 'static'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    target,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    metafile: true,
    // The licences of what the scripts contain lie beside them.
    legalComments: 'linked',
    plugins: [componentStyles, standIns],
    absWorkingDir: source,
    logLevel: 'silent',
  });
  await writeFile(
    join(directory, 'index.html'),
    buildPage(await readFile(join(source, 'index.html'), 'utf8'), metafile),
  );
  await writeFile(join(directory, 'icon.svg'), await readFile(join(source, 'icon.svg')));
  return metafile;
}

/** Returns the paths of the files that a build was made from. */
export function inputsOf({ inputs }: Metafile): string[] {
  const paths = Object.keys(inputs).map((path) => resolve(source, path.replace(/^component-styles:/, '')));
  return [...paths, ...otherInputs];
}

/** Fills in the addresses of the first script, of what it imports at once, and of the styles. */
function buildPage(html: string, { outputs }: Metafile): string {
  const [entry, script] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === 'main.tsx') ?? [];
  if (entry === undefined || script === undefined) throw new Error('The build of the console has no first script.');
  const addressOf = (path: string) => `/static/${path.split('/').at(-1)}`;
  const imports = script.imports.filter(({ kind }) => kind === 'import-statement');
  const lines = [
    ...(script.cssBundle === undefined ? [] : [`<link rel="stylesheet" href="${addressOf(script.cssBundle)}">`]),
    ...imports.map(({ path }) => `<link rel="modulepreload" href="${addressOf(path)}">`),
    `<script type="module" src="${addressOf(entry)}"></script>`,
  ];
  return html.replace('<!-- styles and scripts: written by the build -->', lines.join('\n    '));
}
