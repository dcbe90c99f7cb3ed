import { callsWith } from '../calls.ts'

// Evaluated by the build: the app gets these values without the table (see vite.config.ts).
export const signsIn = callsWith(({ signsIn }) => signsIn)
export const changesUser = callsWith(({ changes }) => changes === 'user')
export const endsAccess = callsWith(({ ends }) => ends !== undefined)
export const endsAccount = callsWith(({ ends }) => ends === 'account')
