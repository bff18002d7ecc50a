/**
 * Replaces the time of `new Date()` and `Date.now()` until it is disposed. The new time begins with the real one, runs as fast, and can
 * be put forward.
 */
export function shiftTime(): Disposable & { pass(milliseconds: number): void } {
  const RealDate = globalThis.Date;
  let shift = 0;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [RealDate.now() + shift] : args, newTarget),
    get: (target, name, receiver) =>
      name === 'now' ? () => RealDate.now() + shift : Reflect.get(target, name, receiver),
  });
  return {
    pass(milliseconds) {
      shift += milliseconds;
    },
    [Symbol.dispose]() {
      globalThis.Date = RealDate;
    },
  };
}
