/** Does one thing, and tells how it went and how long it took; `note` says what of its outcome is worth a word. */
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
