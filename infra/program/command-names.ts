/** A call of a command in a clone. Messages that several commands share have `${name}` in the place of its name. */
const inClone = /npm run (?:--silent )?(\$\{name\}|[a-z-]+)(?: --(?= ))?|npm (start)(?: --(?= ))?/g;

/** The commands of package.json that a bundle lacks. */
const onlyInClone = /^(?:bundle|generate)$/;

/** Rewrites the calls of commands in source code for a bundle: `npm run token -- --list` becomes `flagstaff token --list`. */
export function nameCommandsOfBundle(source: string): string {
  return source.replaceAll(inClone, (text, name?: string, start?: string) => {
    const command = name ?? start ?? '';
    return onlyInClone.test(command) ? text : `flagstaff ${command}`;
  });
}
