import { hash, verify } from '@node-rs/argon2'

/** argon2id at OWASP's minimum: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const nobodys = hash('the password of nobody', cost)

export async function hashPassword(password: string) {
  return hash(password, cost)
}

/** Whether the password fits. Without a hash it takes as long and says no, so that time doesn't tell who has an account. */
export async function isPassword(password: string, passwordHash: string | null | undefined) {
  const fits = await verify(passwordHash ?? (await nobodys), password)
  return fits && Boolean(passwordHash)
}
