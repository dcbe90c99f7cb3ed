import { reasonsWith, refusals } from '../refusals.ts'

// Evaluated by the build: the app gets these values without the table (see vite.config.ts).
export const unsureReasons = reasonsWith('unsure')
export const completeReasons = reasonsWith('complete')
export const finalReasons = reasonsWith('final')
export const forAllReasons = reasonsWith('forAll')
export const fieldsOf: Partial<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(refusals).flatMap(([reason, { fields }]) =>
    fields.length > 0 ? [[reason, fields]] : [],
  ),
)
