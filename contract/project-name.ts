import type { Settings } from './settings.ts'

/** The subscription's name on screen; empty until it has one. */
export function projectName({ name }: Settings) {
  return typeof name === 'string' ? name : ''
}

/** The settings that a session sees of a project that is shut to it. */
export function nameOnly({ name }: Settings): Settings {
  return typeof name === 'string' ? { name } : {}
}
