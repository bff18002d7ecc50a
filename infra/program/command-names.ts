/** A command as it is called in a clone. In messages that several commands share, the name is filled in later. */
const inClone = /npm run (?:--silent )?(\$\{name\}|[a-z-]+)(?: --(?= ))?|npm (start)(?: --(?= ))?/g;

/** Commands of package.json that a bundle lacks. */
const onlyInClone = /^(?:bundle|generate)$/;

/** Changes the source of texts, so that they name commands as those of a bundle: `npm run token -- --list` becomes `flagstaff token --list`. */
export function nameCommandsOfBundle(source: string): string {
  return source.replaceAll(inClone, (text, name?: string, start?: string) => {
    const command = name ?? start ?? '';
    return onlyInClone.test(command) ? text : `flagstaff ${command}`;
  });
}
