import type { Settings } from './settings.ts'

/** The subscription's name on screen; empty until it has one. */
export function projectName({ name }: Settings) {
  return typeof name === 'string' ? name : ''
}
