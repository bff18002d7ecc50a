import type { ModuleInfo, Plugin } from 'rolldown';

/** The decision which modules lie in one script. */
interface ScriptPlan {
  /** The plugin of the build that makes the decision. */
  readonly plugin: Plugin;
  /** Returns the name of the script of a module; undefined for a module that only one screen needs. */
  scriptOf(id: string): string | undefined;
}

/** The number of screens from which on a module belongs to the first script. */
const commonMin = 4;

/** Tells whether a module loads screens and parts of them, rather than data or an engine: a component, a hook, or the routes. */
const loadsScreens = (id: string) => /\.tsx$|[\\/](?:routes|use-[\w-]+)\.ts$/.test(id);

/** Modules of which all that need them have to be loaded with the code that evaluates flags. */
const evaluation = /[\\/]lib[\\/]delivery[\\/]evaluation[\\/]/;

/**
 * Plans the scripts of the console, so that a page takes few requests: each of them may meet a function that has to start. The
 * first script has what the frame and most screens need, a second one the code that evaluates flags and what builds on it, and a
 * third one the rest that several screens share.
 * @param main the path of the first module.
 */
export function planScripts(main: string): ScriptPlan {
  let scripts: ReadonlyMap<string, string> = new Map();
  return {
    plugin: {
      name: 'script-plan',
      buildEnd() {
        const modules = [...this.getModuleIds()].flatMap((id) => this.getModuleInfo(id) ?? []);
        scripts = assignScripts(main, new Map(modules.map((module) => [module.id, module])));
      },
    },
    scriptOf: (id) => scripts.get(id),
  };
}

function assignScripts(main: string, modules: ReadonlyMap<string, ModuleInfo>): Map<string, string> {
  const first = closureOf(main, modules);
  const screens = [...modules.values()].filter(({ dynamicImporters }) => dynamicImporters.some(loadsScreens));
  const counts = new Map<string, number>();
  for (const screen of screens) {
    for (const id of closureOf(screen.id, modules)) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const evaluates = (id: string) => [...closureOf(id, modules)].some((each) => evaluation.test(each));
  const assigned = [...modules.keys()].flatMap((id): [string, string][] => {
    const count = counts.get(id) ?? 0;
    if (first.has(id) || count >= commonMin) return [[id, 'console']];
    if (count < 2) return [];
    return [[id, evaluates(id) ? 'evaluation' : 'shared']];
  });
  return new Map(assigned);
}

/** Returns a module with all that it imports at once. */
function closureOf(id: string, modules: ReadonlyMap<string, ModuleInfo>, found = new Set<string>()): Set<string> {
  if (found.has(id)) return found;
  found.add(id);
  for (const imported of modules.get(id)?.importedIds ?? []) closureOf(imported, modules, found);
  return found;
}
