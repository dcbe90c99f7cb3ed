import type { Services } from '../core/services.ts'

/** Of the job that waits from a transfer on until the provider has heard of it. */
export function handOverKey(subscriptionId: string) {
  return `hand over ${subscriptionId}`
}

/** Whether the provider still has what is the former owner's. */
export async function isHandingOver(subscriptionId: string, { jobs }: Pick<Services, 'jobs'>) {
  return (await jobs.mapTries([handOverKey(subscriptionId)])).size > 0
}
