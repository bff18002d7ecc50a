let first: NodeJS.ProcessEnv | undefined;

/** Makes the environment again what it was at the first call in this process. */
export function restoreEnvironment(): void {
  first ??= { ...process.env };
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(first, name)) delete process.env[name];
  Object.assign(process.env, first);
}
