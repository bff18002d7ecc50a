/** Does one thing, and prints how it went and how long it took; `note` adds a word about the outcome. */
export async function step<T>(title: string, work: () => Promise<T>, note?: (outcome: T) => string): Promise<T> {
  const start = performance.now();
  const seconds = () => `${((performance.now() - start) / 1000).toFixed(1)} s`.padStart(7);
  try {
    const outcome = await work();
    console.log(`ok   ${seconds()}  ${title}${note === undefined ? '' : `: ${note(outcome)}`}`);
    return outcome;
  } catch (error) {
    console.log(`FAIL ${seconds()}  ${title}`);
    throw error;
  }
}
