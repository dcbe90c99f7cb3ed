import { product } from '#config/product.ts'
import { StartError } from '../platform/start-error.ts'
import type { Env } from './env.ts'

export function announce(
  { role, port, publicUrl, stripe, stripeApiBase, smtpUrl, databaseUrl, dataDir }: Env,
  notes: string[],
) {
  const lines = [
    role === 'worker'
      ? `A worker of ${product.name} is ready: port ${port} answers /healthz, /readyz and /metrics`
      : `${product.name} is ready: ${publicUrl}`,
    '',
    databaseUrl
      ? 'Data       the PostgreSQL of DATABASE_URL'
      : `Data       ${dataDir} (PostgreSQL started here)`,
    smtpUrl
      ? 'Mail       sent through SMTP_URL'
      : `Mail       kept, not sent: ${publicUrl}/dev/mail (set SMTP_URL to send it)`,
    stripe
      ? `Payments   ${stripeApiBase ? `${stripeApiBase}, instead of Stripe` : 'Stripe'}`
      : `Payments   a sandbox, no real money: ${publicUrl}/sandbox (set STRIPE_SECRET_KEY for Stripe)`,
    ...notes.map((note) => `Note       ${note}`),
    '',
    'Example people and projects: npm run seed. Stop with Ctrl-C.',
  ]
  console.log(`\n${lines.map((line) => (line ? `  ${line}` : line)).join('\n')}\n`)
}

/** Prints the error and exits with code 1. A `StartError` is printed without its stack. */
export function exitWith(error: unknown) {
  console.error(error instanceof StartError ? error.message : error)
  process.exit(1)
}
