/** A reason why the rehearsal cannot go on, in words for whoever runs it. */
export class RehearsalProblem extends Error {}
