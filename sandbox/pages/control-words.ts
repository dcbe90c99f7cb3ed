import type { EventShown } from '../control/overview.ts'
import type { Settings } from '../control/settings.ts'

/** A sentence for all that is not as normal. */
export function deviations({ charges, webhooks, api }: Settings, held: number): string[] {
  return [
    charges.fail && `The next ${counted(charges.fail, 'charge')} of ${charges.customer ?? 'anybody'} will be declined: ${charges.code}.`,
    webhooks.mode === 'hold' && `Webhooks are held: ${counted(held, 'event')} waiting.`,
    webhooks.mode === 'drop' && 'Webhooks are dropped.',
    webhooks.copies > 1 && `Every event is posted ${webhooks.copies} times.`,
    api.fault &&
      `The API ${faultWords[api.fault]} ${whenWords[api.at]}, for ${requests(api.times)}${api.skip ? ` after ${counted(api.skip, 'more request')}` : ''}.`,
    api.delay > 0 && `The API waits ${api.delay} ms ${whenWords[api.at]}.`,
  ].filter((words) => typeof words === 'string')
}

const faultWords = { 429: 'answers 429', 500: 'answers 500', break: 'breaks the connection' }
const whenWords = { before: 'before it does its work', after: 'after it has done its work' }

function requests(times: number | null): string {
  return times === null ? 'all requests' : `the next ${counted(times, 'request')}`
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`
}

export const stateWords: Record<EventShown['state'], { words: string; tone: string }> = {
  delivered: { words: 'Delivered', tone: 'good' },
  waiting: { words: 'On its way', tone: 'soft' },
  retrying: { words: 'Failed, will be tried again', tone: 'bad' },
  held: { words: 'Held', tone: 'warn' },
  dropped: { words: 'Dropped', tone: 'warn' },
  given_up: { words: 'Given up', tone: 'bad' },
}
