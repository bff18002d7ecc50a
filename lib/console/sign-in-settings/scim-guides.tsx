import type { JSX } from 'preact';

/** The steps at well-known directories, in the words that stand there. */
export function ScimGuides(): JSX.Element {
  return (
    <section class="section card form-card" aria-labelledby="scim-guides">
      <h2 id="scim-guides">What to enter there</h2>
      <details class="scim-guide">
        <summary>Okta</summary>
        <ol>
          <li>
            Add the application <em>SCIM 2.0 Test App (Header Auth)</em>, or switch on <em>SCIM provisioning</em> in
            your own application with <em>HTTP Header</em>.
          </li>
          <li>
            <em>Base URL</em> is the address above. The <em>API token</em> is the token with the word{' '}
            <code>Bearer</code> before it.
          </li>
          <li>
            The <em>unique identifier field for users</em> is <code>userName</code>.
          </li>
          <li>
            Under <em>Provisioning › To App</em>, enable creating, updating and deactivating users.
          </li>
          <li>
            Assign people, and push groups under <em>Push Groups</em>.
          </li>
        </ol>
      </details>
      <details class="scim-guide">
        <summary>Entra ID</summary>
        <ol>
          <li>
            Create an <em>enterprise application</em> of your own, and open <em>Provisioning</em> with the mode{' '}
            <em>Automatic</em>.
          </li>
          <li>
            <em>Tenant URL</em> is the address above, <em>Secret token</em> the token. Press <em>Test connection</em>.
          </li>
          <li>
            In the mapping of users, map <code>objectId</code> to <code>externalId</code>, so that signing in finds the
            same person.
          </li>
          <li>Assign people and groups to the application, and start the provisioning. It syncs every 40 minutes.</li>
        </ol>
      </details>
    </section>
  );
}
