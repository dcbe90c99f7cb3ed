import { callsWith } from '../calls.ts'

// The build evaluates this file, so that the app contains these values but not the table of calls
// (see vite.config.ts).
export const signsIn = callsWith(({ signsIn }) => signsIn)
export const changesUser = callsWith(({ changes }) => changes === 'user')
export const endsAccess = callsWith(({ ends }) => ends !== undefined)
export const endsAccount = callsWith(({ ends }) => ends === 'account')
