import { setImmediate as nextTurn } from 'node:timers/promises';
import { RE2JS } from 're2js';
import { cachePerObject } from '../../values/cache.ts';
import { compiledStepsMax, countSteps } from '../../values/expression-steps.ts';
import type { WorkBudget } from './budget.ts';
import { type ContextCondition, cachePerContext } from './context.ts';

/** The part of a constraint that has a regular expression. */
interface ExpressionConstraint {
  readonly contextName: string;
  readonly operator: string;
  readonly value?: string;
  readonly caseInsensitive?: boolean;
}

/** Nanoseconds for each instruction of a compiled expression and character of a text; each match takes a few instructions more. */
const workPerInstruction = 60;
const instructionsPerMatch = 5;

/** Nanoseconds for compiling an instruction, and a class, for which RE2 searches tables of Unicode; for both cases if any case matches. */
const compilingInstruction = 5_000;
const compilingClass = { exact: 150_000, anyCase: 600_000 };

/** The work of compiling after which other requests get a turn. */
const turnWork = 20_000_000;

/** The regular expression of a constraint. It is compiled when it is first used, since that takes long. */
class Expression {
  /** The most instructions that its program can have. */
  readonly sourceSteps: number;
  readonly compiling: number;
  readonly #source: string;
  readonly #flags: number;
  #program: { readonly pattern: RE2JS | undefined; readonly instructions: number } | undefined;

  constructor({ value, caseInsensitive }: ExpressionConstraint) {
    this.#source = String(value);
    this.#flags = caseInsensitive ? RE2JS.CASE_INSENSITIVE : 0;
    this.sourceSteps = countSteps(this.#source);
    const classes = this.#source.split(/\[|\\[pP]/).length - 1;
    const isAnyCase = caseInsensitive || /\(\?\w*i/.test(this.#source);
    this.compiling =
      compilingInstruction * this.sourceSteps + compilingClass[isAnyCase ? 'anyCase' : 'exact'] * classes;
  }

  get isCompiled(): boolean {
    return this.#program !== undefined;
  }

  /** @throws Error if it exceeds the budget. */
  matches(text: string, budget: WorkBudget): boolean {
    const isLarge = this.sourceSteps > compiledStepsMax;
    if (isLarge) budget.spend(matchWork(this.sourceSteps, text));
    if (!this.isCompiled) budget.spend(this.compiling);
    const { pattern, instructions } = this.compiled();
    if (pattern === undefined) return false;
    if (!isLarge) budget.spend(matchWork(instructions, text));
    return pattern.matcher(text).find();
  }

  compiled() {
    this.#program ??= compile(this.#source, this.#flags);
    return this.#program;
  }
}

function matchWork(instructions: number, text: string): number {
  return workPerInstruction * (instructions + instructionsPerMatch) * (text.length + 1);
}

/** Compiles an expression; `pattern` is undefined if RE2 refuses it. */
function compile(source: string, flags: number) {
  try {
    const pattern = RE2JS.compile(source, flags);
    return { pattern, instructions: Number(pattern.re2().numberOfInstructions()) };
  } catch {
    return { pattern: undefined, instructions: 0 };
  }
}

/** Returns the expression of a constraint object, which is cached with the object. */
const expressionOf = cachePerObject((constraint: ExpressionConstraint) => new Expression(constraint));

/**
 * Builds the condition that a field matches the expression of a constraint. Equal constraints of many flags share one result. An
 * invalid expression never matches.
 */
export function buildExpressionCondition(constraint: ExpressionConstraint): ContextCondition {
  const { contextName, value, caseInsensitive = false } = constraint;
  const expression = expressionOf(constraint);
  return cachePerContext(JSON.stringify([contextName, value, caseInsensitive]), ({ values, budget }) => {
    const text = values.get(contextName);
    return text !== undefined && expression.matches(text, budget);
  });
}

/** Returns the nanoseconds that a match takes at worst for each character of a text. */
export function workOfExpression(constraint: ExpressionConstraint): number {
  return workPerInstruction * expressionOf(constraint).sourceSteps;
}

/**
 * Compiles the regular expressions of constraints before a request needs them, and gives other requests a turn from time to
 * time.
 */
export async function compileAhead(constraints: Iterable<ExpressionConstraint>): Promise<void> {
  let work = 0;
  for (const constraint of constraints) {
    if (constraint.operator !== 'REGEX') continue;
    const expression = expressionOf(constraint);
    if (expression.isCompiled || expression.sourceSteps > compiledStepsMax) continue;
    expression.compiled();
    work += expression.compiling;
    if (work < turnWork) continue;
    work = 0;
    await nextTurn();
  }
}
