import { generateKeyPairSync } from 'node:crypto'
import { pino } from 'pino'
import { readEnv } from '../../server/running/env.ts'
import { listen } from '../../server/running/listen.ts'
import { openServer } from '../../server/open-server.ts'
import { startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts'
import { aMockIssuer } from '../sign-in/mock-issuer.ts'
import { aFacebook, aGitHub, aTwitter } from '../sign-in/stand-ins.ts'
import { everyProvider } from '../world.ts'

// A server with every sign-in provider. Each provider is a stand-in that asks for a login.

const ending: (() => void | Promise<void>)[] = []
const options = { asks: true, atEnd: (stop: () => void | Promise<void>) => void ending.push(stop) }
const issuer = await aMockIssuer({ email_verified: true, xms_edov: true }, options)
const issuers = {
  GOOGLE: issuer,
  MICROSOFT: issuer,
  YAHOO: issuer,
  OIDC: issuer,
  GITHUB: await aGitHub(options),
  FACEBOOK: await aFacebook(options),
  TWITTER: await aTwitter({ ...options, cutsOff: true }),
}
const clients = Object.entries(issuers).map(([name, { url }]) => ({
  [`${name}_CLIENT_ID`]: 'our-client',
  [`${name}_CLIENT_SECRET`]: 'our-secret',
  [`${name}_ISSUER`]: url,
}))
const { privateKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})
const apple = {
  APPLE_CLIENT_ID: 'our-client',
  APPLE_TEAM_ID: 'TEAM',
  APPLE_KEY_ID: 'KEY',
  APPLE_PRIVATE_KEY: privateKey,
  APPLE_ISSUER: issuer.url,
}

const env = readEnv(
  Object.assign({ ...process.env, ...apple, OIDC_NAME: 'Example Inc.' }, ...clients),
)
const log = pino({ level: env.logLevel })
const postgres = await startEmbeddedPostgres({ dataDir: env.dataDir, log })
const server = await openServer({
  env,
  connection: postgres.connection,
  log,
  enabled: everyProvider,
})
const http = await listen(server.app, env)

process.once('SIGTERM', () => void stop())

async function stop() {
  server.closeStreams()
  await http.close()
  await server.stop()
  await postgres.stop()
  for (const end of ending) await end()
  process.exit(0)
}
