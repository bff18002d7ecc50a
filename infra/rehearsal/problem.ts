/** A reason why the rehearsal cannot go on, in words for the person who runs it. */
export class RehearsalProblem extends Error {}
