import about from '../../package.json' with { type: 'json' };

/** The version of this release, from package.json. */
export const { version } = about;

/** Returns the running build: the version, and the commit if it is known, such as `0.3.0+0c1b1b78`. */
export function buildName(): string {
  const { FLAGSTAFF_COMMIT: commit } = process.env;
  return commit ? `${version}+${commit}` : version;
}
