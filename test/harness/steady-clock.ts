/**
 * Lets time go on while a file of tests runs: some machines set their clock meanwhile, and events are listed in the order
 * of their times.
 */
const begin = { wall: Date.now(), steady: performance.now() };
const now = () => Math.floor(begin.wall + performance.now() - begin.steady);

// The class itself, of which an earlier file may have left the proxy.
const RealDate = Date.prototype.constructor as DateConstructor;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args) => Reflect.construct(target, args.length === 0 ? [now()] : args),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
