import * as core from './core-refusals.ts'
import { ofModules } from './modules.ts'

const ownOfModules = ofModules('refusals')

/** Reasons of which the app loads the texts after the sign-in, or with a screen for anybody. */
export const notForVisitors = { ...core.notForVisitors, ...ownOfModules }

/** Every reason for which a call is refused: of the core and of the modules that are on. */
export const refusals = { ...core.refusals, ...ownOfModules }

export type Reason = keyof typeof refusals

/** The `error` in the answer to a refused call. */
export type RefusalBody = {
  /** The status in the protocol's spelling: `ALREADY_EXISTS`. */
  status: string
  message: string
  details?: { reason: Reason } & Record<string, unknown>
}
