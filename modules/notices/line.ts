import type { LanguageCode } from '#config/languages.ts'
import { lineOf } from '../../server/core/notices.ts'
import type { Services } from '../../server/core/services.ts'
import type { Row } from './store.ts'

/** The title of a notice and the path that it leads to. Of a module that is off, the kind is left. */
export async function lineFor(row: Row, language: LanguageCode | null, services: Services) {
  const { kind, details, project } = row
  const line = await lineOf({ kind, language, values: { ...details, project } }, services)
  return line ?? { title: kind, path: '/notices' }
}
