/** The most characters of an answer, about 5,000 tokens, since a model pays for each token. */
const charactersMax = 20_000;

/** The most items of each list and characters of each text, in the order of the attempts. Ids and names have at most 100 characters. */
const attempts = [
  { items: 100, characters: 2_000 },
  { items: 40, characters: 500 },
  { items: 15, characters: 200 },
  { items: 5, characters: 120 },
  { items: 2, characters: 110 },
] as const;

/** Cuts lists and texts of an answer until it is short enough for a model, or until the last attempt. */
export function shorten<T extends object>(answer: T): { readonly value: T; readonly isShortened: boolean } {
  const whole = JSON.stringify(answer).length;
  let value = answer;
  for (const attempt of attempts) {
    value = cut(answer, attempt) as T;
    const length = JSON.stringify(value).length;
    if (length <= charactersMax) return { value, isShortened: length !== whole };
  }
  return { value, isShortened: true };
}

function cut(value: unknown, limits: { readonly items: number; readonly characters: number }): unknown {
  if (typeof value === 'string') {
    const { characters } = limits;
    return value.length <= characters ? value : `${value.slice(0, characters - 1).toWellFormed()}…`;
  }
  if (Array.isArray(value)) return value.slice(0, limits.items).map((item) => cut(item, limits));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, cut(each, limits)]));
}
