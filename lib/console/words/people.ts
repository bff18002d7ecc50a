/** The names of a person, where a list has them. */
interface NamedPerson {
  readonly id: number;
  readonly name?: string | undefined;
  readonly username?: string | undefined;
  readonly email?: string | undefined;
}

/** Returns the name by which a person is shown: their name, else that of their account. */
export function personNameOf({ id, name, username, email }: NamedPerson): string {
  return name || username || email || `Person ${id}`;
}

/** Returns the name of an author as people know it: events name the service as Unleash does. */
export function authorNameOf(name: string): string {
  return name === 'unleash_system_user' ? 'Flagstaff' : name;
}

/** Returns the user name and the e-mail address of a person, but not the one by which they are shown. */
export function accountNamesOf(person: NamedPerson): string {
  const shown = personNameOf(person);
  return [person.username, person.email].filter((name) => name && name !== shown).join(' · ');
}

/** A sign-in, as the log of sign-ins has it. */
interface SignInEntry {
  readonly username: string;
  readonly auth_type: 'simple' | 'saml' | 'oidc';
  readonly created_at: string;
  readonly successful: boolean;
}

const methods = { simple: 'Password', saml: 'SAML', oidc: 'OpenID Connect' } as const;

/** Returns the method of a person's last successful sign-in; undefined if the log has none of theirs. */
export function signInMethodOf(
  { username, email }: Pick<NamedPerson, 'username' | 'email'>,
  entries: readonly SignInEntry[],
): string | undefined {
  const names = [username, email].filter((name) => name !== undefined).map((name) => name.toLowerCase());
  const latest = entries
    .filter((entry) => entry.successful && names.includes(entry.username.toLowerCase()))
    .reduce<SignInEntry | undefined>(
      (last, entry) => (last === undefined || entry.created_at > last.created_at ? entry : last),
      undefined,
    );
  return latest && methods[latest.auth_type];
}

/** Returns the people whose names contain all words of a search. */
export function filterPeople<T extends NamedPerson>(people: readonly T[], search: string): T[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return people.filter(({ name = '', username = '', email = '' }) => {
    const text = `${name} ${username} ${email}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
