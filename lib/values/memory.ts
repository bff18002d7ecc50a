/** Makes something once for each object, such as an open store, and keeps it for as long as the object is in use. */
export function onceFor<K extends WeakKey, V>(make: (key: K) => V): (key: K) => V {
  const kept = new WeakMap<K, V>();
  return (key) => {
    const found = kept.get(key);
    if (found !== undefined || kept.has(key)) return found as V;
    const made = make(key);
    kept.set(key, made);
    return made;
  };
}

/** A map of at most so many entries: for a new one, it forgets the one that was set longest ago. */
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
