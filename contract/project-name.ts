import type { Settings } from './settings.ts'

/** What the project is called; empty until it is given a name. */
export function projectName({ name }: Settings) {
  return typeof name === 'string' ? name : ''
}
