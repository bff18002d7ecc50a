import type { JSX } from 'preact';
import { FieldProblem } from './field.tsx';

/** The problems of a form, one line each. */
export function FormProblems({ problems }: { readonly problems: readonly string[] }): JSX.Element {
  return (
    <>
      {problems.map((text) => (
        <FieldProblem key={text} text={text} />
      ))}
    </>
  );
}
