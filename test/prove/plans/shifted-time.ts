/**
 * Lets `new Date()` and `Date.now()` tell another time than it is, as long as the block lasts that uses it: it begins with the real
 * time, and goes on with it.
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
