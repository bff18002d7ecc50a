import mustache from 'mustache';
import { Unsendable } from './requests/outgoing.ts';

type Context = InstanceType<typeof mustache.Context>;
type Options = Parameters<InstanceType<typeof mustache.Writer>['renderTokens']>;

/** The most characters of a template. */
const templateLengthMax = 10_000;
/** The most characters that it may make. */
const resultLengthMax = 256 * 1024;
/** The most steps it may take: loops within loops can run for ever without making a character. */
const stepsMax = 200_000;

/** The names whose values are JSON already. */
const isJson = (name: string | undefined) => name === 'eventJson';

/**
 * Renders a mustache template.
 * @param escapes `json` makes `{{…}}` a part of a JSON text; `{{{…}}}` is always raw.
 * @throws Unsendable for a template that cannot be read, or that makes or does too much.
 */
export function render(template: string, view: object, escapes: 'json' | 'nothing'): string {
  try {
    return new BoundedWriter(escapes).renderView(template, view);
  } catch (error) {
    if (error instanceof Unsendable) throw error;
    throw new Unsendable(`The body template cannot be rendered: ${(error as Error).message.slice(0, 200)}`);
  }
}

/** Returns the mistake in a template; undefined where there is none. What an event makes of it shows when it is sent. */
export function templateProblem(template: string): string | undefined {
  if (template.length > templateLengthMax) return `must have at most ${templateLengthMax} characters.`;
  try {
    new mustache.Writer().parse(template);
    return undefined;
  } catch (error) {
    return `is no mustache template: ${(error as Error).message.slice(0, 200)}.`;
  }
}

/** Counts while it renders, since the work of a template is bounded by nothing else. */
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
    return this.#counted(this.#escapes === 'json' && !isJson(token[1]) ? JSON.stringify(text).slice(1, -1) : text);
  }

  override unescapedValue(token: string[], context: Context): string {
    return this.#counted(textOf(context.lookup(token[1] ?? '')));
  }

  override rawValue(token: string[]): string {
    return this.#counted(token[1] ?? '');
  }

  #counted(text: string): string {
    this.#length += text.length;
    if (this.#length > resultLengthMax) {
      throw new Unsendable(`The body template makes more than ${resultLengthMax} characters.`);
    }
    return text;
  }
}

/** Lists as Unleash shows them, objects as JSON: its "[object Object]" says nothing. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * A context in which nothing inherited is found, be it of a text within an object. It counts the contexts that it looks
 * through: each section adds one.
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
      // Of a text that a section is about, only a path reaches the length.
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
