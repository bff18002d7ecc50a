/** Returns a function that makes a value once for each object, and keeps it as long as the object is in memory. */
export function cachePerObject<K extends WeakKey, V>(make: (key: K) => V): (key: K) => V {
  const cache = new WeakMap<K, V>();
  return (key) => {
    const cached = cache.get(key);
    // A value may be undefined itself, so a second look tells.
    if (cached !== undefined || cache.has(key)) return cached as V;
    const value = make(key);
    cache.set(key, value);
    return value;
  };
}

/** A map with a maximum size. When a new entry exceeds it, the entry that was set longest ago is removed. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #max: number;

  constructor(max: number) {
    super();
    this.#max = max;
  }

  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    const [oldest] = this.keys();
    if (this.size > this.#max) this.delete(oldest as K);
    return this;
  }
}
