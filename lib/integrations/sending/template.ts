import mustache from 'mustache';
import { Unsendable } from './requests/outgoing.ts';

type Context = InstanceType<typeof mustache.Context>;
type Options = Parameters<InstanceType<typeof mustache.Writer>['renderTokens']>;

/** The most characters of a template. */
const templateLengthMax = 10_000;
/** The most characters of a result. */
const resultLengthMax = 256 * 1024;
/** The most steps of a template: nested loops can run without end and without output. */
const stepsMax = 200_000;

/** Tells whether the value of a name is already JSON. */
const isJson = (name: string | undefined) => name === 'eventJson';

/**
 * Renders a mustache template.
 * @param escapes `json` escapes `{{…}}` for a JSON text; `{{{…}}}` is always raw.
 * @throws Unsendable for an invalid template, a long result, or too many steps.
 */
export function render(template: string, view: object, escapes: 'json' | 'nothing'): string {
  try {
    return new BoundedWriter(escapes).renderView(template, view);
  } catch (error) {
    if (error instanceof Unsendable) throw error;
    throw new Unsendable(`The body template cannot be rendered: ${(error as Error).message.slice(0, 200)}`);
  }
}

/** Returns the problem of a template; undefined if there is none. Some problems only show with an event. */
export function findTemplateProblem(template: string): string | undefined {
  if (template.length > templateLengthMax) return `must have at most ${templateLengthMax} characters.`;
  try {
    new mustache.Writer().parse(template);
    return undefined;
  } catch (error) {
    return `is no mustache template: ${(error as Error).message.slice(0, 200)}.`;
  }
}

/** A writer that counts its work, since nothing else limits the work of a template. */
class BoundedWriter extends mustache.Writer {
  readonly #escapes: 'json' | 'nothing';
  #steps = 0;
  #length = 0;

  constructor(escapes: 'json' | 'nothing') {
    super();
    this.#escapes = escapes;
  }

  renderView(template: string, view: object): string {
    return this.render(template, new OwnContext(view, undefined, (steps) => this.#step(steps)));
  }

  override renderTokens(...[tokens, ...others]: Options): string {
    this.#step(tokens.length + 1);
    return super.renderTokens(tokens, ...others);
  }

  #step(steps: number): void {
    this.#steps += steps;
    if (this.#steps > stepsMax) throw new Unsendable('The body template takes too many steps.');
  }

  override escapedValue(token: string[], context: Context): string {
    const text = textOf(context.lookup(token[1] ?? ''));
    return this.#count(this.#escapes === 'json' && !isJson(token[1]) ? JSON.stringify(text).slice(1, -1) : text);
  }

  override unescapedValue(token: string[], context: Context): string {
    return this.#count(textOf(context.lookup(token[1] ?? '')));
  }

  override rawValue(token: string[]): string {
    return this.#count(token[1] ?? '');
  }

  #count(text: string): string {
    this.#length += text.length;
    if (this.#length > resultLengthMax) {
      throw new Unsendable(`The body template produces more than ${resultLengthMax} characters.`);
    }
    return text;
  }
}

/** Returns a value as text: lists as on Unleash, and objects as JSON instead of "[object Object]". */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * A context without inherited properties, also of texts within objects. It counts the contexts that a lookup visits: each section
 * adds one.
 */
class OwnContext extends mustache.Context {
  readonly #step: (steps: number) => void;

  constructor(view: unknown, parent: Context | undefined, step: (steps: number) => void) {
    super(view, parent);
    this.#step = step;
  }

  override push(view: unknown): OwnContext {
    return new OwnContext(view, this, this.#step);
  }

  override lookup(name: string): unknown {
    if (name === '.') return this.view;
    const path = name.indexOf('.') > 0 ? name.split('.') : [name];
    this.#step(path.length);
    for (let context: Context | undefined = this; context !== undefined; context = context.parent) {
      this.#step(1);
      // Only a path reaches properties of a text, such as its length.
      const isReached = path.length > 1 || typeof context.view === 'object';
      const own = isReached ? ownValue(context.view, path) : undefined;
      if (own !== undefined) return own.value;
    }
    return undefined;
  }
}

function ownValue(view: unknown, path: readonly string[]): { readonly value: unknown } | undefined {
  let value = view;
  for (const part of path) {
    if (value === null || value === undefined || !Object.hasOwn(value, part)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[part];
  }
  return { value };
}
