import type { Sealed, Secrets } from '../platform/secrets.ts'

type Rows = {
  listSealed: (after: string, count: number) => Promise<{ id: string; secret: string }[]>
  reseal: (row: { id: string; from: string; to: string }) => Promise<unknown>
}

/** Seals secrets anew that a former key has sealed, so that the key may go. */
export async function resealAll(purpose: Sealed, rows: Rows, secrets: Secrets) {
  if (secrets.fingerprints.length === 1) return
  let last = ''
  for (;;) {
    const page = await rows.listSealed(last, 1000)
    for (const { id, secret } of page) {
      const sealed = secrets.reseal(purpose, secret)
      if (sealed !== undefined) await rows.reseal({ id, from: secret, to: sealed })
    }
    if (page.length === 0) return
    last = page.at(-1)!.id
  }
}
