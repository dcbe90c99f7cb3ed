import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import config from '../vite.config.ts'

test('in development Vite forwards calls to the server, and serves every module of the app itself', () => {
  const keys = Object.keys(config.server!.proxy!)
  const isForwarded = (path: string) =>
    keys.some((key) => (key.startsWith('^') ? new RegExp(key).test(path) : path.startsWith(key)))
  expect(
    ['/api/signIn', '/live', '/dev/mail', '/webhooks/stripe'].filter(isForwarded),
  ).toHaveLength(4)
  const modules = globSync('**/*.{ts,tsx,css}', { cwd: join(import.meta.dirname, '../client') })
  expect(modules.length).toBeGreaterThan(100)
  expect(modules.map((path) => `/${path}`).filter(isForwarded)).toEqual([])
})
