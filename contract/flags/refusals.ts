import { reasonsWith } from '../refusals.ts'

// The build evaluates this file, so that the app gets no table of refusals: see vite.config.ts.
export const unsureReasons = reasonsWith('unsure')
export const completeReasons = reasonsWith('complete')
export const finalReasons = reasonsWith('final')
export const forAllReasons = reasonsWith('forAll')
