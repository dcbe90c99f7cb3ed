import { reasonsWith } from '../refusals.ts'

// Evaluated by the build: the app gets these values without the table (see vite.config.ts).
export const unsureReasons = reasonsWith('unsure')
export const completeReasons = reasonsWith('complete')
export const finalReasons = reasonsWith('final')
export const forAllReasons = reasonsWith('forAll')
