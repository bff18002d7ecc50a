import { enableCompileCache, flushCompileCache } from 'node:module';
import { runCommand } from '../commands/command.ts';

const help = `Serves the API on this machine, with an embedded store, until Ctrl-C.

  npm start
  npm start -- --version     prints version and commit
  npm start -- --help        prints this text, as -h does

Settings are environment variables. Defaults are in parentheses. An empty variable counts as not set.

  PORT                     the port it listens on (4242); 0 takes any free port
  HOST                     the address it listens on (127.0.0.1)
  DATA_DIR                 the folder of the store (.data), on a local disk; ":memory:" for a store in memory
  STORE_DURABILITY         sync: answered changes survive a power cut; normal: they survive a killed process, but a power cut may
                           lose the last seconds; this is faster (sync)
  DYNAMODB_ENDPOINT        the address of another DynamoDB-compatible store, instead of the embedded one
  TABLE_NAME               the table (flagstaff)
  INIT_ADMIN_API_TOKENS    admin tokens to add, separated by commas: each "*:*." and a secret of at least 128 random bits, such
                           as the output of "openssl rand -hex 16". If it is not set, an insecure token is accepted on loopback
                           addresses until there is an admin token, or a password that somebody has chosen. It is not accepted if
                           PUBLIC_URL, ALLOWED_HOSTS or TRUSTED_PROXIES show that others can reach this server
  INIT_ADMIN_PASSWORD      the password of the user admin, if they have none yet; the rules for passwords do not apply. If it
                           is not set, a random one is printed once
  INIT_CLIENT_API_TOKENS   client tokens to add, separated by commas: each a project (* for all), ":", an environment,
                           "." and a secret of at least 128 random bits. INIT_BACKEND_API_TOKENS is the same, but shows them
                           as backend tokens
  INIT_FRONTEND_API_TOKENS frontend tokens to add, in the same form; they are public
  READABLE_CLIENT_TOKENS   true stores the secrets of new client tokens and shows them in lists, for tools that compare
                           them (false)
  RELAY                    true serves SDKs only, and writes only their reports to the store, if it may write at all (false)
  SEED_FILE                the initial content of an empty store; infra/commands/README.md describes the file
  BODY_LIMIT_BYTES         the maximum size of a request body (102400)
  IMPORT_BODY_LIMIT_BYTES  the maximum size of the body of an import (BODY_LIMIT_BYTES if that is set, otherwise 524288)
  PROJECT_FEATURES_LIMIT   the maximum number of features in a project, including archived ones (20000)
  PROJECT_FEATURES_WARNING the number of features from which on each new one in a project is answered with a warning (5000)
  API_TOKENS_LIMIT         the maximum number of API tokens (2000)
  STREAMS_LIMIT            the maximum number of streams of changes, which SDKs and pages keep open (10000); one token may have
                           90 % of them, and so may all frontend tokens together. 0 serves none, so that SDKs poll
  EMAIL_SENDER             the sender address of mails (reset links, invitations, change requests), which Amazon SES sends
                           with AWS credentials; if it is not set, no mails are sent
  SMTP_URL                 the mail server that sends them instead of SES: smtp://user:password@mail.example.com:587, or
                           smtps:// for one that begins with TLS. A password is only sent over TLS, except to this machine.
                           Unleash's EMAIL_HOST, EMAIL_PORT, EMAIL_SECURE, EMAIL_USER and EMAIL_PASSWORD do the same
  CHECKPOINT_KEY           a private key that signs checkpoints of the history, best as CHECKPOINT_KEY_FILE;
                           "npm run verify -- --new-key FILE" makes one (none)
  FRONTEND_API_ORIGINS     the origins of pages that may use the frontend API, separated by commas (*: all)
  LOG_LEVEL                DEBUG, INFO, WARN, ERROR or SILENT (INFO); INFO and DEBUG print a line for each request
  LOG_FORMAT               text, or json for the format of Lambda (text)
  PUBLIC_URL               the address that people use, such as https://flags.example.com. It is needed for links in mails,
                           for identity providers, and for changes by people who are signed in
                           (http://localhost:PORT; none if HOST is not a loopback address)
  ALLOWED_HOSTS            host names to serve in addition to localhost and that of PUBLIC_URL, separated by commas;
                           requests to other names with a dot are refused
  TRUSTED_PROXIES          the number of proxies or load balancers in front of this server. The address of a caller, which flags
                           and the limit of wrong passwords use, is then taken from X-Forwarded-For (0)
  CONSOLE                  flagstaff serves our own console, unleash the admin UI that "npm run unleash-console" downloads, off
                           none (flagstaff)
  INTEGRATIONS             on sends events to the integrations of the store, off does not (on; off for relays and for
                           tables at AWS, whose deployed service sends them)
  INTEGRATION_ALLOWED_HOSTS
                           names, addresses or ranges in private networks that integrations may send to, also without TLS,
                           separated by commas, such as localhost, *.internal or 10.0.0.0/8 (none). Unleash's
                           UNLEASH_ALLOW_LIST_INTEGRATION and UNLEASH_ALLOW_PRIVATE_URL_IN_INTEGRATION add to it
  INTEGRATION_DAILY_LIMIT  the maximum number of requests to an integration per day; further ones wait (100000)
  OTEL_EXPORTER_OTLP_ENDPOINT
                           the collector of OpenTelemetry that gets traces, such as http://localhost:4318 (none).
                           infra/monitoring/README.md lists the other variables of OpenTelemetry, and the metrics for
                           Prometheus at /internal-backstage/prometheus

Secrets (INIT_ADMIN_PASSWORD, the INIT_…_API_TOKENS, SMTP_URL, EMAIL_PASSWORD and CHECKPOINT_KEY) can also be in files, as containers
and systemd hand them over: INIT_ADMIN_PASSWORD_FILE=/run/secrets/password names the file.

The embedded store is one file, flagstaff.db in DATA_DIR. Commands such as "npm run token", and further servers, may have it open
at the same time, but only on this machine: file systems on a network do not lock it reliably.
"npm run backup" saves it to a file while servers run, and "npm run restore" fills another store with that file.

A second server on the same store: PORT=4243 npm start. On its own store: PORT=4243 DATA_DIR=.data2 npm start`;

await runCommand({
  name: 'start',
  help,
  async run() {
    // With the compile cache, the modules that are imported later load in half the time from the second start on.
    enableCompileCache();
    const { serveUntilSignal: run } = await import('./run.ts');
    await run();
    // Otherwise Node writes the cache only at exit, and not after a kill.
    flushCompileCache();
  },
});
