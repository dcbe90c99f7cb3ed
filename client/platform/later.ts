import { createElement, lazy, useState, type ComponentType, type ReactElement } from 'react'

/** Browsers never retry a chunk that failed to load, so chunks wait while the device is offline. */
let connection = Promise.resolve()
addEventListener('offline', () => {
  connection = new Promise((resolve) => addEventListener('online', () => resolve(), { once: true }))
})

/** Puts a component into its own chunk. Once that is loaded, it appears without a spinner. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined
  async function preload() {
    await connection
    return (loaded = await load())
  }
  const Awaited = lazy(async () => ({
    default: await preload(),
  })) as unknown as ComponentType<Props>
  function Later(props: Props): ReactElement {
    const [Component] = useState<ComponentType<Props>>(() => loaded ?? Awaited)
    return createElement(Component, props)
  }
  return Object.assign(Later, { preload })
}
