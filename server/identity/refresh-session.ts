import { handle } from '../core/handle.ts'
import { renewSession } from './sessions.ts'

export const refreshSession = handle('refreshSession', async ({ visit }, services) =>
  renewSession(visit, services),
)
