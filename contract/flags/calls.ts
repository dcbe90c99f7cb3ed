import { callsWith } from '../calls.ts'

// The build evaluates this file, so that the app gets no table of calls: see vite.config.ts.
export const signsIn = callsWith(({ signsIn }) => signsIn)
export const mustKnow = callsWith(({ mustKnow }) => mustKnow)
export const changesUser = callsWith(({ changes }) => changes === 'user')
export const endsAccess = callsWith(({ ends }) => ends !== undefined)
export const endsAccount = callsWith(({ ends }) => ends === 'account')
