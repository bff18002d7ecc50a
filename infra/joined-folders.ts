import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';

/**
 * The folders of which all endpoints are one function, with a URL of its own: those of SDKs, which know one address, and of
 * which each instance calls every few seconds. A gateway would cost five times as much as the function.
 */
export const joinedFolders: readonly string[] = ['client', 'frontend'];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const prefix = 'joined:';

/** What stands for the code of a joined folder as an entry point. */
export function joinedEntry(files: readonly string[]): string {
  return `${prefix}${files.join(',')}`;
}

/** Writes the code of a joined folder. */
export const joinedEntries: Plugin = {
  name: 'joined-entries',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^joined:/ }, ({ path }) => ({ path: path.slice(prefix.length), namespace: 'joined' }));
    onLoad({ filter: /.*/, namespace: 'joined' }, ({ path }) => {
      const files = path.split(',');
      const imports = files.map((file, index) => `import { handler as handler${index} } from ${JSON.stringify(file)};`);
      const contents = `
        import { joined } from ${JSON.stringify(join(root, 'lib/http/joined.ts'))};
        ${imports.join('\n')}
        export const handler = joined([${files.map((_, index) => `handler${index}`).join(', ')}]);`;
      return { contents, resolveDir: root, loader: 'js' };
    });
  },
};
