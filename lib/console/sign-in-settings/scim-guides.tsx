import type { JSX } from 'preact';

/** The steps in well-known directories, in the words of their pages. */
export function ScimGuides(): JSX.Element {
  return (
    <section class="section card form-card" aria-labelledby="scim-guides">
      <h2 id="scim-guides">What to enter there</h2>
      <details class="guide">
        <summary>Okta</summary>
        <ol>
          <li>
            From the catalog, add the application <em>SCIM 2.0 Test App (Header Auth)</em>, or set the provisioning of
            your own SAML application to <em>SCIM</em>.
          </li>
          <li>
            <em>Base URL</em> is the address above, <em>API Token</em> the token. The{' '}
            <em>unique identifier field for users</em> is <code>userName</code>.
          </li>
          <li>
            Under <em>Provisioning › To App</em>, enable creating, updating and deactivating users.
          </li>
          <li>
            Assign people, and choose groups under <em>Push Groups</em>.
          </li>
        </ol>
      </details>
      <details class="guide">
        <summary>Entra ID</summary>
        <ol>
          <li>
            Create an enterprise application of your own, and set its <em>Provisioning</em> to <em>Automatic</em>.
          </li>
          <li>
            <em>Tenant URL</em> is the address above with <code>?aadOptscim062020</code> after it, <em>Secret Token</em>{' '}
            the token. Press <em>Test Connection</em>.
          </li>
          <li>
            In the mapping of users, map <code>objectId</code> to <code>externalId</code>, so that single sign-on finds
            the same person.
          </li>
          <li>Assign people and groups, and start the provisioning. It sends changes about every 40 minutes.</li>
        </ol>
      </details>
    </section>
  );
}
