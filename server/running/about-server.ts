import { hostname } from 'node:os'
import { version } from '../platform/version.ts'
import type { AboutServer } from '../store/schema.ts'

/** What tells operators which of their servers this is. */
export function aboutServer(role: string, schema: string): AboutServer {
  return { host: hostname(), pid: process.pid, role, version, schema, node: process.version }
}
