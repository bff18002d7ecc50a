import { setImmediate as nextTurn } from 'node:timers/promises';
import { RE2JS } from 're2js';
import { re2Extent } from '../../features/strategies/re2-syntax-schema.ts';
import { onceFor } from '../../values/memory.ts';
import type { WorkBudget } from './budget.ts';
import type { EvaluableConstraint } from './constraint.ts';
import { type ContextCondition, onceForContext } from './context.ts';

/** Nanoseconds for each instruction of a program and character of a text, and the instructions of a match besides those. */
const workPerInstruction = 60;
const instructionsBesides = 5;

/** Nanoseconds for compiling an instruction, and a class: RE2 goes through tables of Unicode, and again for both cases. */
const compilingInstruction = 5_000;
const compilingClass = { exact: 150_000, anyCase: 600_000 };

/** Programs above this were stored before there was a limit. They are compiled only for a text that could be matched. */
const compiledAheadMax = 10_000;

/** The work of compiling between two turns of other requests. */
const turnWork = 20_000_000;

/** The regular expression of a constraint, which RE2 takes long to compile. */
class Expression {
  /** The most instructions that its program can have; none where the syntax is not known. */
  readonly written: number;
  readonly compiling: number;
  readonly #source: string;
  readonly #flags: number;
  #program: { readonly pattern: RE2JS | undefined; readonly instructions: number } | undefined;

  constructor({ value, caseInsensitive }: EvaluableConstraint) {
    this.#source = String(value);
    this.#flags = caseInsensitive ? RE2JS.CASE_INSENSITIVE : 0;
    this.written = re2Extent(this.#source)?.instructions ?? 0;
    const classes = this.#source.split(/\[|\\[pP]/).length - 1;
    const isAnyCase = caseInsensitive || /\(\?\w*i/.test(this.#source);
    this.compiling = compilingInstruction * this.written + compilingClass[isAnyCase ? 'anyCase' : 'exact'] * classes;
  }

  get isCompiled(): boolean {
    return this.#program !== undefined;
  }

  /** @throws Error where the work does not suffice. */
  matches(text: string, budget: WorkBudget): boolean {
    const isLarge = this.written > compiledAheadMax;
    if (isLarge) budget.spend(matching(this.written, text));
    if (!this.isCompiled) budget.spend(this.compiling);
    const { pattern, instructions } = this.compiled();
    if (pattern === undefined) return false;
    if (!isLarge) budget.spend(matching(instructions, text));
    return pattern.matcher(text).find();
  }

  compiled() {
    this.#program ??= programOf(this.#source, this.#flags);
    return this.#program;
  }
}

function matching(instructions: number, text: string): number {
  return workPerInstruction * (instructions + instructionsBesides) * (text.length + 1);
}

/** Returns no pattern for what is none. */
function programOf(source: string, flags: number) {
  try {
    const pattern = RE2JS.compile(source, flags);
    return { pattern, instructions: Number(pattern.re2().numberOfInstructions()) };
  } catch {
    return { pattern: undefined, instructions: 0 };
  }
}

/** The expression of a constraint, which is kept for as long as that stays the same. */
const expressionOf = onceFor((constraint: EvaluableConstraint) => new Expression(constraint));

/**
 * Returns the condition that a text matches the expression of a constraint, which many flags may have. What is no
 * expression never holds.
 */
export function matchesExpression(constraint: EvaluableConstraint): ContextCondition {
  const { contextName, value, caseInsensitive = false } = constraint;
  const expression = expressionOf(constraint);
  return onceForContext(JSON.stringify([contextName, value, caseInsensitive]), ({ values, budget }) => {
    const text = values.get(contextName);
    return text !== undefined && expression.matches(text, budget);
  });
}

/** Returns the nanoseconds that the expression of a constraint takes at worst for each character of a text. */
export function workOfExpression(constraint: EvaluableConstraint): number {
  return workPerInstruction * expressionOf(constraint).written;
}

/**
 * Compiles the regular expressions among constraints ahead of the requests that match them, so that it is no request's work,
 * and a few at a time, so that it holds up none.
 */
export async function compileAhead(constraints: Iterable<EvaluableConstraint>): Promise<void> {
  let work = 0;
  for (const constraint of constraints) {
    if (constraint.operator !== 'REGEX') continue;
    const expression = expressionOf(constraint);
    if (expression.isCompiled || expression.written > compiledAheadMax) continue;
    expression.compiled();
    work += expression.compiling;
    if (work < turnWork) continue;
    work = 0;
    await nextTurn();
  }
}
