import about from '../../package.json' with { type: 'json' };

/** The version of this release, which stands in package.json alone. */
export const { version } = about;

/** Returns the build that runs: the version, with the commit where that is known, such as `0.3.0+0c1b1b78`. */
export function buildName(): string {
  const { FLAGSTAFF_COMMIT: commit } = process.env;
  return commit ? `${version}+${commit}` : version;
}
