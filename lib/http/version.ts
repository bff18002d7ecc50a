import about from '../../package.json' with { type: 'json' };

/** The version of this release, which stands in package.json alone. */
export const { version } = about;
