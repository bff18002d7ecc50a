/** Stands for what vitest exports where a test file is loaded for its specification alone: every call of it does nothing. */
// biome-ignore lint/suspicious/noExplicitAny: it stands for everything.
const nothing: any = new Proxy(() => nothing, { get: () => nothing, apply: () => nothing });

export {
  nothing as afterAll,
  nothing as afterEach,
  nothing as beforeAll,
  nothing as beforeEach,
  nothing as describe,
  nothing as expect,
  nothing as inject,
  nothing as onTestFinished,
  nothing as test,
  nothing as vi,
};
