import { activityKinds } from './activity.ts'

const { account: _account, webhooks: _webhooks, ...areas } = activityKinds

/** What other programs hear of: all that happens in a project, but to its webhooks. */
export const events: string[] = Object.values(areas).flat()
