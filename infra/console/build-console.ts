import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';
import { planScripts } from './script-plan.ts';

const source = fileURLToPath(new URL('../../lib/console/', import.meta.url));

/** The oldest browsers that the console supports. */
const target = ['chrome123', 'firefox127', 'safari17.5'];

/** A script of the console. */
interface BuiltScript {
  /** The name of its file in `static/`. */
  readonly file: string;
  /** The source of a script that starts the console or that is loaded when a page needs it, such as `now/now.tsx`. */
  readonly entry: string | undefined;
  /** The files of the scripts that it cannot do without. */
  readonly imports: readonly string[];
}

/** A finished build. */
export interface ConsoleBuild {
  readonly scripts: readonly BuiltScript[];
  /** The names of the files in `static/` with the styles of the page. */
  readonly styles: readonly string[];
  /** The paths of the files that it was made from. */
  readonly inputs: readonly string[];
}

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
 * @param further plugins that change the sources.
 */
export async function buildConsole(directory: string, further: readonly Plugin[] = []): Promise<ConsoleBuild> {
  await mkdir(join(directory, 'static'), { recursive: true });
  const plan = planScripts(join(source, 'main.tsx'));
  const bundle = await rolldown({
    input: { console: join(source, 'main.tsx') },
    platform: 'browser',
    transform: { target, jsx: { runtime: 'automatic', importSource: 'preact' } },
    plugins: [pageStyles(), componentStyles, standIns, plan.plugin, ...further],
    logLevel: 'silent',
  });
  const { output } = await bundle.write({
    dir: join(directory, 'static'),
    format: 'esm',
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
    assetFileNames: '[name]-[hash][extname]',
    minify: true,
    comments: { legal: true },
    codeSplitting: { groups: [{ name: (id) => plan.scriptOf(id) ?? null }] },
  });
  await bundle.close();
  const chunks = output.filter((file) => file.type === 'chunk');
  const build: ConsoleBuild = {
    scripts: chunks.map(describeScript),
    styles: output.flatMap(({ fileName }) => (fileName.endsWith('.css') ? [fileName] : [])),
    inputs: [...new Set(chunks.flatMap(({ moduleIds }) => moduleIds.flatMap(inputOf))), ...otherInputs],
  };
  await writeFile(join(directory, 'index.html'), buildPage(await readFile(join(source, 'index.html'), 'utf8'), build));
  await writeFile(join(directory, 'icon.svg'), await readFile(join(source, 'icon.svg')));
  return build;
}

/**
 * Builds the code that explains flags in pages as one module that Node can load, for a proof that it decides as the service does.
 * @param file a path in a folder that exists.
 * @internal
 */
export async function buildPreview(file: string): Promise<void> {
  const bundle = await rolldown({
    input: join(source, 'preview/explain-flag.ts'),
    platform: 'browser',
    transform: { target },
    plugins: [standIns],
    logLevel: 'silent',
  });
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  await bundle.close();
}

/** Returns the file that a module was made from; nothing for those that a plugin made of nothing. */
function inputOf(moduleId: string): string[] {
  if (moduleId.startsWith('\0page-styles:')) return [moduleId.slice('\0page-styles:'.length)];
  if (moduleId.startsWith('\0')) return [];
  return [moduleId.replace(/\.css\.js$/, '.css')];
}

function describeScript({ fileName, facadeModuleId, imports }: OutputChunk): BuiltScript {
  const entry = facadeModuleId?.startsWith(source)
    ? facadeModuleId.slice(source.length).replaceAll('\\', '/')
    : undefined;
  return { file: fileName, entry, imports };
}

/** Fills in the addresses of the first script, of what it imports at once, and of the styles. */
function buildPage(html: string, { scripts, styles }: ConsoleBuild): string {
  const first = scripts.find(({ entry }) => entry === 'main.tsx');
  if (first === undefined) throw new Error('The build of the console has no first script.');
  const lines = [
    ...styles.map((file) => `<link rel="stylesheet" href="/static/${file}">`),
    ...first.imports.map((file) => `<link rel="modulepreload" href="/static/${file}">`),
    `<script type="module" src="/static/${first.file}"></script>`,
  ];
  return html.replace('<!-- styles and scripts: written by the build -->', lines.join('\n    '));
}

const sheetName = /\.css$/;

async function minifyStyles(path: string): Promise<string> {
  const { code } = await transform(await readFile(path, 'utf8'), { loader: 'css', minify: true, target });
  return code.trim();
}

/** Collects the styles that the first script imports in a file, without which nothing is drawn. */
function pageStyles(): Plugin {
  const sheets: string[] = [];
  return {
    name: 'page-styles',
    resolveId(path, importer) {
      if (!sheetName.test(path) || !importer?.endsWith('main.tsx')) return undefined;
      const file = join(importer, '..', path);
      sheets.push(file);
      return { id: `\0page-styles:${file}`, moduleSideEffects: false };
    },
    load(id) {
      return id.startsWith('\0page-styles:') ? { code: '', moduleType: 'js' } : undefined;
    },
    async generateBundle() {
      const texts = await Promise.all(sheets.map(minifyStyles));
      this.emitFile({ type: 'asset', name: 'console.css', source: texts.join('\n') });
    },
  };
}

/** Lets components bring their styles along: each adds its sheet to the page when its script is loaded. */
const componentStyles: Plugin = {
  name: 'component-styles',
  resolveId(path, importer) {
    if (!sheetName.test(path) || importer === undefined) return undefined;
    return { id: `${join(importer, '..', path)}.js`, moduleSideEffects: true };
  },
  async load(id) {
    if (!id.endsWith('.css.js')) return undefined;
    const file = id.slice(0, -'.js'.length);
    const addStyles = JSON.stringify(join(source, 'parts/add-styles.ts'));
    const text = JSON.stringify(await minifyStyles(file));
    return { code: `import { addStyles } from ${addStyles}; addStyles(${text});`, moduleType: 'js' };
  },
};

/** The modules in the place of those that browsers do not have, or that are loaded only when a page needs them. */
const standInsByName: Readonly<Record<string, string>> = {
  'node:net': 'net',
  'node:os': 'os',
  'node:crypto': 'crypto',
  'node:timers/promises': 'timers',
  re2js: 're2',
};

const standIns: Plugin = {
  name: 'stand-ins',
  resolveId(name) {
    if (name === 're2js/whole') return fileURLToPath(import.meta.resolve('re2js'));
    const standIn = standInsByName[name];
    return standIn === undefined ? undefined : join(source, 'preview/stand-ins', `${standIn}.ts`);
  },
};
