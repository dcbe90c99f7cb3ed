import { useSyncExternalStore } from 'react'

/** A value outside the components. When it changes, those that call `use` are drawn again. */
export function createStore<Value>(value: Value) {
  const listeners = new Set<() => void>()

  function subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  const get = () => value

  return {
    get,
    set(next: Value) {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe,
    use: () => useSyncExternalStore(subscribe, get, get),
  }
}
